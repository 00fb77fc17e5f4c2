// Bytes that the devices of a plan hold.
#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "sim/memory/memory.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

test::StepCase resnet50(StrategyKind kind, int devices) {
  test::StepCase what;
  what.kind = kind;
  what.devices = devices;
  what.strategy.optimizer = Optimizer::adam;
  return what;
}

struct Ran {
  explicit Ran(const test::StepCase& what)
      : program(plan(test::Step(what).request())),
        schedule(run(program)),
        memory(memory_by_rank(program, schedule)) {}

  // What a device holds of a cause before the step, or after it.
  [[nodiscard]] double before(std::size_t device, MemoryCause cause) const {
    return held(device, cause, true);
  }
  [[nodiscard]] double after(std::size_t device, MemoryCause cause) const {
    return held(device, cause, false);
  }
  // The most it holds of a cause at any moment.
  [[nodiscard]] double most(std::size_t device, MemoryCause cause) const {
    Program only = program;
    std::erase_if(only.memory, [cause](const MemoryEvent& event) { return event.cause != cause; });
    return memory_by_rank(only, schedule).at(device).peak.value();
  }

  Program program;
  Schedule schedule;
  std::vector<RankMemory> memory;

 private:
  [[nodiscard]] double held(std::size_t device, MemoryCause cause, bool before_step) const {
    double sum = 0;
    for (const MemoryEvent& event : program.memory)
      if (event.rank == memory.at(device).rank && event.cause == cause && (!before_step || event.op == no_id))
        sum += event.change.value();
    return sum;
  }
};

constexpr double parameters = 102228128;  // bytes of ResNet-50's 25,557,032 in fp32

TEST(SingleDevice, HoldsParametersStateAndGradients) {
  const Ran ran(resnet50(StrategyKind::single, 1));
  EXPECT_EQ(ran.before(0, MemoryCause::parameters), parameters);
  EXPECT_EQ(ran.before(0, MemoryCause::optimizer), 2 * parameters);
  EXPECT_EQ(ran.most(0, MemoryCause::gradients), parameters);
  EXPECT_EQ(ran.before(0, MemoryCause::buckets), 0);
}

// Everything that a step takes it gives back: gradients, activations, replicas.
TEST(Plans, HoldAfterTheStepWhatTheyHeldBefore) {
  for (const StrategyKind kind :
       {StrategyKind::single, StrategyKind::data_parallel, StrategyKind::distributed_data_parallel}) {
    for (const int accumulation : {1, 3}) {
      for (const char* framework :
           {"pytorch", "pytorch-cpu"}) {  // gradients released after the step, or kept
        for (const int devices : {1, 4}) {
          if (kind == StrategyKind::single && devices > 1) continue;
          test::StepCase what = resnet50(kind, devices);
          what.strategy.accumulation = accumulation;
          what.strategy.framework = framework;
          const Ran ran(what);
          SCOPED_TRACE(title_of(kind) + " of " + std::to_string(devices) + " " + framework);
          for (const MemoryCause cause :
               {MemoryCause::gradients, MemoryCause::activations, MemoryCause::outputs})
            EXPECT_EQ(ran.after(0, cause), ran.before(0, cause)) << to_string(cause) << ' ' << accumulation;
        }
      }
    }
  }
}

// Flat buckets hold all gradients once more; a view is the gradients.
TEST(Ddp, HoldsTheGradientsASecondTimeInItsBuckets) {
  test::StepCase what = resnet50(StrategyKind::distributed_data_parallel, 8);
  const Ran copied(what);
  what.strategy.gradient_as_bucket_view = true;
  const Ran viewed(what);
  EXPECT_EQ(copied.before(0, MemoryCause::buckets), parameters);
  EXPECT_EQ(copied.most(0, MemoryCause::gradients), parameters);
  EXPECT_EQ(viewed.before(0, MemoryCause::buckets), parameters);
  EXPECT_EQ(viewed.most(0, MemoryCause::gradients), 0);
  EXPECT_EQ(copied.memory.size(), 1U) << "all ranks hold the same";
}

// Device 0 alone keeps optimizer state (Adam: 2 P) and .grad (P); the others' gradients last until they are
// reduced. Outputs of the whole batch, with the loss's intermediate and their gradient: 3 x 256 x 1000 x 4 B.
TEST(DataParallel, LoadsDeviceZero) {
  const Ran ran(resnet50(StrategyKind::data_parallel, 8));
  EXPECT_EQ(ran.before(0, MemoryCause::optimizer), 2 * parameters);
  EXPECT_EQ(ran.before(1, MemoryCause::optimizer), 0);
  EXPECT_EQ(ran.before(0, MemoryCause::outputs), 3 * 256 * 1000 * 4);
  EXPECT_EQ(ran.before(1, MemoryCause::outputs), 0);
  EXPECT_EQ(ran.before(1, MemoryCause::parameters), parameters);
  EXPECT_EQ(ran.most(1, MemoryCause::gradients), parameters);
  EXPECT_EQ(ran.most(0, MemoryCause::gradients), 2 * parameters);
  EXPECT_GT(ran.memory.at(0).peak, ran.memory.at(1).peak);
  EXPECT_GT(memory_imbalance(ran.memory), 1);
}

// While backward runs nothing of device 0's .grad exists yet, and its peak is that of activations: it exceeds
// the others' by optimizer state, outputs and the allocator's rounding of both copies.
TEST(DataParallel, ImbalanceIsWhatDeviceZeroHoldsAlone) {
  const Ran ran(resnet50(StrategyKind::data_parallel, 8));
  const double extra = ran.memory.at(0).peak.value() - ran.memory.at(1).peak.value();
  const double rounding = ran.before(0, MemoryCause::allocator) - ran.before(1, MemoryCause::allocator);
  EXPECT_EQ(extra, 2 * parameters + 3 * 256 * 1000 * 4 + rounding);
}

// Eight sequences of 1024 tokens on four devices: 8 x 1024 x 50257 x 4 B of logits on device 0; with
// log-softmax and gradient there, three times as much.
TEST(DataParallel, GathersTheLogitsOfALanguageModel) {
  test::StepCase what;
  what.model = "gpt2";
  what.kind = StrategyKind::data_parallel;
  what.devices = 4;
  what.batch = 2;
  EXPECT_EQ(Ran(what).before(0, MemoryCause::outputs), 1646821376);
  what.strategy.loss_in_model = false;
  EXPECT_EQ(Ran(what).before(0, MemoryCause::outputs), 4940464128);
}

// fp16: parameters in 32 bit and a 16-bit copy of them; activations in two bytes, so fewer of them.
TEST(MixedPrecision, KeepsASixteenBitCopyAndSmallerActivations) {
  test::StepCase what = resnet50(StrategyKind::single, 1);
  const Ran full(what);
  what.precision = Precision::fp16;
  const Ran mixed(what);
  EXPECT_EQ(mixed.before(0, MemoryCause::parameters), 1.5 * parameters);
  EXPECT_LT(mixed.most(0, MemoryCause::activations), 0.6 * full.most(0, MemoryCause::activations));
}

TEST(Activations, GrowInProportionToTheBatch) {
  test::StepCase what = resnet50(StrategyKind::single, 1);
  const double once = Ran(what).most(0, MemoryCause::activations);
  what.batch *= 2;
  // Apart from BatchNorm's statistics, which a call keeps once: 8 B x 26,560 channels.
  EXPECT_NEAR(Ran(what).most(0, MemoryCause::activations), 2 * once, 8.0 * 26560 + 1);
}

}  // namespace
}  // namespace paceline
