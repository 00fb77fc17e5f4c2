// DDP steps measured on two hosts joined by shaped links, predicted from the all-reduce table and the compute
// times measured there.
#include <gtest/gtest.h>

#include "sim/study/predict.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

struct Step {
  std::int64_t hidden = 0;
  double bucket = 0;  // MiB
  Seconds measured;
  Scenario scenario;
};

struct Set {
  std::string rate;
  Profile profile;
  std::vector<Step> steps;
};

double number(JsonObject& object, const std::string& name) { return object.required(name).number(0); }

Profile profile_of(const JsonValue& table) {
  Profile profile;
  profile.device = "cpu";
  profile.backend = "cpu";
  for (const JsonValue& value : table.array()) {
    JsonObject row = value.object();
    MeasuredCollective measured;
    measured.kind = "all_reduce";
    measured.transport = "gloo";
    measured.ranks = measured.nodes = 2;
    measured.bytes = Bytes(number(row, "bytes"));
    measured.time.median = milliseconds(number(row, "ms"));
    profile.collectives.push_back(measured);
  }
  return profile;
}

Step step_of(JsonObject row, BytesPerSecond rate) {
  Step step;
  step.hidden = row.required("hidden").integer();
  step.bucket = number(row, "bucket_mb");
  step.measured = milliseconds(number(row, "step_ms"));
  Scenario& scenario = step.scenario;
  scenario.model = step.hidden == 1024 ? "mlp-12x1024" : "mlp-4x2048";
  scenario.cluster = "cpu-1gbe";
  scenario.port_rate = rate;
  scenario.devices = 2;
  scenario.batch_per_device = static_cast<int>(row.required("batch").integer());
  scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  scenario.strategy.framework = "pytorch-cpu";
  scenario.strategy.bucket_cap = mebibytes(step.bucket);
  scenario.measured.step = milliseconds(number(row, "local_step_ms"));
  scenario.measured.forward = milliseconds(number(row, "local_forward_ms"));
  scenario.measured.backward = milliseconds(number(row, "local_backward_ms"));
  return step;
}

class Testbed : public ::testing::Test {
 protected:
  Testbed() {
    JsonObject file = JsonValue::parse_file(test::data_folder() + "/published/testbed-ddp.json").object();
    for (const JsonValue& value : file.required("sets").array()) {
      JsonObject object = value.object();
      const JsonValue rate = object.required("rate");
      Set set{rate.string(), profile_of(object.required("all_reduce")), {}};
      for (const JsonValue& step : object.required("ddp_steps").array())
        set.steps.push_back(step_of(step.object(), rate.quantity<BytesPerSecond>()));
      sets_.push_back(std::move(set));
    }
  }
  static Seconds predicted(const Set& set, const Step& step) {
    return predict(test::source_catalog(), step.scenario, &set.profile).step;
  }

  std::vector<Set> sets_;
};

// 4 %: steps repeat to 1 % or, where they take seconds, to 5 % between their fastest and slowest. One row
// lies outside: 200 Mb/s, hidden 2048, bucket 1 MiB. Each of its tensors of 16 MiB is larger than either cap,
// so it has the very buckets of the row with 5 MiB, whose measurement is 4.3 % shorter: no model can be near
// both.
TEST_F(Testbed, StepsAreWithinFourPercent) {
  std::size_t steps = 0;
  for (const Set& set : sets_) {
    for (const Step& step : set.steps) {
      const bool is_the_row_with_a_twin = set.rate == "200Mb/s" && step.hidden == 2048 && step.bucket == 1;
      EXPECT_NEAR(predicted(set, step) / step.measured, 1, is_the_row_with_a_twin ? 0.06 : 0.04)
          << set.rate << ", hidden " << step.hidden << ", bucket " << step.bucket;
      ++steps;
    }
  }
  EXPECT_EQ(steps, 16U);
}

TEST_F(Testbed, TheRowAndItsTwinHaveTheSameBuckets) {
  const Set& set = sets_.at(1);
  ASSERT_EQ(set.rate, "200Mb/s");
  const auto messages = [&](const Step& step) {
    return predict(test::source_catalog(), step.scenario, &set.profile).messages;
  };
  EXPECT_EQ(messages(set.steps.at(4)), messages(set.steps.at(5)));
}

// 1 Gb/s, twelve layers of 4 MiB: the smaller the buckets, the earlier the first is sent. Of measured and
// predicted steps alike; 1 and 5 MiB are 0.2 % apart in the measurement.
TEST_F(Testbed, SmallerBucketsOverlapMore) {
  const Set& set = sets_.at(0);
  ASSERT_EQ(set.rate, "1Gb/s");
  for (std::size_t row = 0; row < 3; ++row) {
    ASSERT_LT(set.steps[row].bucket, set.steps[row + 1].bucket);
    EXPECT_LT(set.steps[row].measured, set.steps[row + 1].measured);
    EXPECT_LT(predicted(set, set.steps[row]), predicted(set, set.steps[row + 1]))
        << set.steps[row].bucket << " MiB";
  }
}

TEST_F(Testbed, CommunicationIsMeasuredNotModelled) {
  const Prediction answer = predict(test::source_catalog(), sets_[0].steps[0].scenario, &sets_[0].profile);
  for (const std::string& note : answer.notes) EXPECT_EQ(note.find("not used"), std::string::npos) << note;
}

}  // namespace
}  // namespace paceline
