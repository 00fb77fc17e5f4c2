// Where the step of a split model goes, and how well the devices are used.
#include <gtest/gtest.h>

#include "sim/study/predict.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/split_case.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

Prediction ask(const Degrees& degrees, int devices, Recompute recompute = Recompute::none) {
  Scenario scenario = test::split_scenario(devices, 8);
  scenario.strategy.parallel.degrees = degrees;
  scenario.strategy.parallel.recompute = recompute;
  return predict(test::source_catalog(), scenario);
}

// Compute, exposed communication, host, bubble and optimizer of the slowest stage's rank are the step.
TEST(SplitResults, PartsAddUpToTheStep) {
  for (const Degrees& degrees :
       {Degrees{}, Degrees{.tensor = 8}, Degrees{.pipeline = 5}, Degrees{.tensor = 2, .pipeline = 2},
        Degrees{.tensor = 2, .pipeline = 2, .virtual_stages = 5}}) {
    const Prediction prediction = ask(degrees, degrees.pipeline == 5 ? 5 : 8);
    const SplitBreakdown& parts = prediction.split->breakdown;
    const Seconds sum =
        parts.compute + parts.exposed_communication() + parts.host + parts.bubble + parts.optimizer;
    EXPECT_NEAR(sum / prediction.step, 1, 1e-4) << degrees.tensor << " " << degrees.pipeline;
  }
}

// A forward and a backward of twice its work: recomputing all layers adds one forward to three, less the
// head's.
TEST(SplitResults, HardwareWorkCountsWhatIsRecomputed) {
  const Prediction without = ask({}, 1), with = ask({}, 1, Recompute::full);
  EXPECT_EQ(without.split->mfu, without.split->hfu);
  EXPECT_NEAR(with.split->hfu / with.split->mfu, 4.0 / 3, 0.05);
  EXPECT_EQ(with.split->model_work, without.split->model_work);
  EXPECT_LT(with.split->hfu, 1);
}

// 2 (n - 1) / n of 4 bytes a parameter by an all-reduce over 8 ranks.
TEST(SplitResults, BytesSentAreThoseOfTheGradients) {
  const Prediction prediction = ask({}, 8);
  const test::SplitCase same(test::split_scenario(8, 8));
  const double expected = 2 * 7.0 / 8 * 4 * same.step().parameters_of_stage(0, false);
  EXPECT_NEAR(prediction.split->sent[static_cast<std::size_t>(GroupKind::data)].value() / expected, 1, 1e-9);
}

// Times of one device that holds the whole model would be ignored in silence.
TEST(SplitResults, MeasuredTimesOfTheWholeModelAreRefused) {
  Scenario scenario = test::split_scenario(8);
  scenario.measured.step = Seconds(1);
  EXPECT_EQ(test::refusal([&] { static_cast<void>(predict(test::source_catalog(), scenario)); }),
            "measured: found times of one device that holds the whole model, expected none: they say nothing "
            "of the parts of a split model; remove it");
}

}  // namespace
}  // namespace paceline
