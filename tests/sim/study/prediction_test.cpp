// What a Prediction says, beyond the step time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/predict.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Scenario scenario(StrategyKind kind, int devices) {
  Scenario asked;
  asked.strategy.kind = kind;
  asked.devices = devices;
  return asked;
}
Prediction ask(const Scenario& asked, const Profile* profile = nullptr) {
  return predict(test::source_catalog(), asked, profile);
}

// 8 GPUs x 32 images at 1,000 images/s of a node: 256 ms, more than the step without.
TEST(Predictions, AreHeldUpByTheInputPipeline) {
  Scenario fed = scenario(StrategyKind::distributed_data_parallel, 8);
  const Seconds without = ask(fed).step;
  fed.input_rate = 1000;
  const Prediction held = ask(fed);
  ASSERT_LT(without, milliseconds(256));
  EXPECT_EQ(held.step, milliseconds(256));
  EXPECT_EQ(held.estimate, milliseconds(256));
  EXPECT_THAT(held.notes, Contains("the input pipeline holds up the step: 256 ms for a node's samples"));
  fed.input_rate = 1e6;
  EXPECT_EQ(ask(fed).step, without);
}

TEST(Predictions, NameTheMessagesThatAreReduced) {
  EXPECT_THAT(ask(scenario(StrategyKind::distributed_data_parallel, 8)).messages,
              ElementsAre(Bytes(8196000), Bytes(31502336), Bytes(26255360), Bytes(26550272), Bytes(9724160)));
  EXPECT_EQ(ask(scenario(StrategyKind::data_parallel, 8)).messages.size(), 13U);
  EXPECT_TRUE(ask(scenario(StrategyKind::single, 1)).messages.empty());
}

// samples / s = 32 x 8 x 2 / step.
TEST(Predictions, CountTheSamplesOfAllDevicesAndMicroBatches) {
  Scenario asked = scenario(StrategyKind::distributed_data_parallel, 8);
  asked.strategy.accumulation = 2;
  const Prediction answer = ask(asked);
  EXPECT_EQ(answer.global_batch, 512);
  EXPECT_DOUBLE_EQ(answer.samples_per_second, 512 / answer.step.value());
  EXPECT_LT(answer.step_low, answer.step);
  EXPECT_GT(answer.step_high, answer.step);
}

// Kernels, exposed communication and idle time fill the step of a rank; the union is taken on whole
// nanoseconds.
TEST(Predictions, BreakTheStepDownCompletely) {
  for (const StrategyKind kind : {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel}) {
    const Prediction answer = ask(scenario(kind, 8));
    const StepBreakdown& parts = answer.breakdown;
    EXPECT_LE(parts.exposed_communication, parts.communication);
    EXPECT_LE(parts.forward + parts.backward + parts.optimizer + parts.exposed_communication,
              answer.step + Seconds(20e-9));
    EXPECT_GE(parts.idle, Seconds(0));
  }
}

// 16 GiB hold ResNet-50's batch of 32 but not of 512: over by what the peak exceeds them.
TEST(Predictions, SayByHowMuchADeviceOverflows) {
  Scenario asked = scenario(StrategyKind::data_parallel, 8);
  EXPECT_FALSE(ask(asked).out_of_memory.has_value());
  asked.batch_per_device = 512;
  const Prediction answer = ask(asked);
  ASSERT_TRUE(answer.out_of_memory.has_value());
  EXPECT_EQ(answer.out_of_memory->rank, "GPU 0");
  EXPECT_EQ(answer.out_of_memory->over, answer.first_device_peak() - gibibytes(16));
  EXPECT_THAT(answer.notes,
              Contains(HasSubstr("would need " + to_binary_string(answer.out_of_memory->over))));
}

// Ten samples on eight devices: ceil(10 / 8) = 2 each, so five devices work and three are idle, and it is
// said.
TEST(Predictions, SayThatDevicesGetNoSamples) {
  Scenario asked = scenario(StrategyKind::data_parallel, 8);
  asked.global_batch = 10;
  const Prediction answer = ask(asked);
  EXPECT_EQ(answer.global_batch, 10);
  EXPECT_DOUBLE_EQ(answer.samples_per_second, 10 / answer.step.value());
  EXPECT_THAT(answer.notes, Contains(HasSubstr("no samples for GPU 5-7")));
  asked.global_batch = 5;
  EXPECT_THAT(ask(asked).notes, Contains(HasSubstr("no samples for GPU 5-7")));
  asked.global_batch = 16;
  EXPECT_TRUE(ask(asked).notes.empty());
}

TEST(Predictions, MeasuredPartsReplaceTheModel) {
  Scenario asked = scenario(StrategyKind::single, 1);
  asked.measured = {milliseconds(100), milliseconds(30), milliseconds(60)};
  const Prediction answer = ask(asked);
  EXPECT_NEAR(answer.breakdown.forward.value(), 30e-3, 1e-6);
  EXPECT_NEAR(answer.breakdown.backward.value(), 60e-3, 1e-6);
  EXPECT_NEAR(answer.breakdown.optimizer.value(), 10e-3, 1e-6);
}

// A step that was measured comes out as it was measured, whether the device or the host is the limit, and
// whether it is longer or shorter than the model's: BERT on an A100 with one sequence waits for the host all
// the time.
TEST(Predictions, AMeasuredStepComesOutAsMeasured) {
  Scenario device_bound = scenario(StrategyKind::single, 1), host_bound = device_bound;
  host_bound.model = "bert-base";
  host_bound.cluster = "dgx-a100-80";
  host_bound.precision = Precision::fp16;
  host_bound.batch_per_device = 1;
  for (Scenario asked : {device_bound, host_bound}) {
    const Seconds modelled = ask(asked).step;
    for (const double factor : {0.5, 1.0, 2.0}) {
      asked.measured.step = modelled * factor;
      EXPECT_NEAR(ask(asked).step / modelled, factor, 1e-6) << asked.model;
      EXPECT_EQ(quick_estimate(test::source_catalog(), asked), ask(asked).estimate);
    }
  }
}

// With one part and the whole given, the part is as measured and the rest is what is left.
TEST(Predictions, APartAndTheWholeAreBothMet) {
  Scenario asked = scenario(StrategyKind::single, 1);
  asked.measured.step = milliseconds(150);
  asked.measured.forward = milliseconds(20);
  const Prediction answer = ask(asked);
  EXPECT_NEAR(answer.step.value(), 0.150, 1e-6);
  EXPECT_NEAR(answer.breakdown.forward.value(), 0.020, 1e-6);
}

TEST(Predictions, CalibratedOnesAreMoreCertain) {
  Scenario asked = scenario(StrategyKind::distributed_data_parallel, 8);
  const Prediction modelled = ask(asked);
  asked.measured.step = modelled.step;
  const Prediction calibrated = ask(asked);
  EXPECT_LT(calibrated.step_high / calibrated.step, modelled.step_high / modelled.step);
}

Profile all_reduce_table() {
  Profile profile;
  profile.device = "cpu";
  profile.backend = "cpu";
  for (const double bytes : {1e3, 1e6}) {
    MeasuredCollective row;
    row.kind = "all_reduce";
    row.transport = "gloo";
    row.ranks = row.nodes = 2;
    row.bytes = Bytes(bytes);
    row.time.median = Seconds(bytes / 1e8);
    profile.collectives.push_back(row);
  }
  return profile;
}

TEST(Predictions, SayWhenTheyReachBeyondAMeasuredTable) {
  Scenario asked = scenario(StrategyKind::distributed_data_parallel, 2);
  asked.cluster = "cpu-1gbe";
  asked.model = "mlp-4x1024";
  asked.strategy.framework = "pytorch-cpu";
  const Profile profile = all_reduce_table();
  EXPECT_THAT(ask(asked, &profile).notes, Contains(HasSubstr("extrapolated")));
  asked.cluster = "dgx-1v";
  asked.strategy.framework = "pytorch";
  EXPECT_THAT(ask(asked, &profile).notes,
              Contains(HasSubstr("another device than v100-sxm2-16gb: not used")));
}

// The closed form is what the slider of the user interface shows.
TEST(QuickEstimate, IsTheEstimateOfThePrediction) {
  const Scenario asked = scenario(StrategyKind::distributed_data_parallel, 8);
  EXPECT_EQ(quick_estimate(test::source_catalog(), asked), ask(asked).estimate);
}

}  // namespace
}  // namespace paceline
