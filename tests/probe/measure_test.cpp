#include "probe/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "probe/probe_run.h"

namespace paceline {
namespace {

// A clock that moves only when a timed run moves it.
class FakeMachine {
 public:
  // `duration` of the n-th call's repetitions, n from 0.
  explicit FakeMachine(std::function<Seconds(int call)> duration) : duration_(std::move(duration)) {}

  Measurement measure(const Effort& effort) {
    const Clock clock = [this] { return now_; };
    return paceline::measure(timed_by(clock, [this](int repetitions) { run(repetitions); }), clock, effort);
  }
  [[nodiscard]] int most_repetitions() const { return most_repetitions_; }

 private:
  void run(int repetitions) {
    now_ += repetitions * duration_(calls_++);
    most_repetitions_ = std::max(most_repetitions_, repetitions);
  }

  std::function<Seconds(int call)> duration_;
  Seconds now_{1000};
  int calls_ = 0;
  int most_repetitions_ = 0;
};

Effort test_effort() {
  Effort effort;
  effort.warm_up_limit = Seconds(0.5);
  effort.budget = Seconds(1.5);
  effort.least_sample = microseconds(200);
  effort.precision = 0.01;
  effort.least_samples = 10;
  effort.most_samples = 1000;
  return effort;
}

TEST(Measure, AnOperationThatNeverVariesStopsAtTheFewestSamples) {
  FakeMachine machine([](int) { return milliseconds(1); });
  const Measurement time = machine.measure(test_effort());
  EXPECT_EQ(time.samples, 10);
  EXPECT_NEAR(time.median.value(), 1e-3, 1e-12);
  EXPECT_NEAR(time.median_absolute_deviation.value(), 0, 1e-12);
  EXPECT_FALSE(time.noisy);
}

TEST(Measure, AShortOperationIsRepeatedAndTheTimeOfOneReported) {
  // 1 us: 128 repetitions take 128 us, less than the 200 us asked for; 256 are enough.
  FakeMachine machine([](int) { return microseconds(1); });
  const Measurement time = machine.measure(test_effort());
  EXPECT_EQ(machine.most_repetitions(), 256);
  EXPECT_NEAR(time.median.value(), 1e-6, 1e-12);
}

TEST(Measure, RunsThatStillGetFasterAreWarmUp) {
  // 10 ms, 8 ms, 6.4 ms ... down to 1 ms: over three runs the time falls by half, so no two windows of three
  // agree until all is flat, and no warm-up run is among the samples.
  FakeMachine machine([](int call) { return milliseconds(std::max(1.0, 10 * std::pow(0.8, call))); });
  const Measurement time = machine.measure(test_effort());
  EXPECT_NEAR(time.p95.value(), 1e-3, 1e-12);
  EXPECT_EQ(time.samples, 10);
}

TEST(Measure, AWarmUpThatNeverEndsIsCutShort) {
  // Doubles every call from 1 ms: calls 0..8 take 511 ms, past the limit of 500 ms. Then three samples: call
  // 9 takes 512 ms, call 10 takes 1024 ms, which is past the budget, but one more is needed for a spread:
  // 2048 ms.
  FakeMachine machine([](int call) { return milliseconds(std::pow(2, call)); });
  const Measurement time = machine.measure(test_effort());
  EXPECT_EQ(time.samples, 3);
  EXPECT_NEAR(time.median.value(), 1.024, 1e-9);
  EXPECT_TRUE(time.noisy);
}

TEST(Measure, ALongOperationIsSampledThreeTimesWhateverTheBudget) {
  FakeMachine machine([](int) { return Seconds(1); });
  EXPECT_EQ(machine.measure(test_effort()).samples, 3);
}

TEST(Measure, AnOperationWithTwoSpeedsUsesItsBudgetAndIsNoisy) {
  // 1 ms and 2 ms in turn: the median's interval stays 1..2 ms. 1000 samples of 1.5 ms are the budget of 1.5
  // s.
  FakeMachine machine([](int call) { return milliseconds(call % 2 == 0 ? 1 : 2); });
  const Measurement time = machine.measure(test_effort());
  EXPECT_GE(time.samples, 990);
  EXPECT_TRUE(time.noisy);
}

TEST(RelativeHalfWidth, UsesTheOrderStatisticsThatEncloseTheMedian) {
  std::vector<double> values;
  for (int i = 1; i <= 10; ++i) values.push_back(i);
  // n = 10: 1.96 sqrt(10) = 6.198; ranks floor(1.90) = 1 and ceil(1 + 8.10) = 10: (10 - 1) / 2 / 5.5.
  EXPECT_NEAR(relative_half_width(values), 4.5 / 5.5, 1e-12);
  for (int i = 11; i <= 100; ++i) values.push_back(i);
  // n = 100: 1.96 sqrt(100) = 19.6; ranks floor(40.2) = 40 and ceil(1 + 59.8) = 61: (61 - 40) / 2 / 50.5.
  EXPECT_NEAR(relative_half_width(values), 10.5 / 50.5, 1e-12);
}

TEST(RelativeHalfWidth, IsHalfTheRangeOfAFewValues) {
  EXPECT_NEAR(relative_half_width({3, 1, 2}), (3.0 - 1.0) / 2 / 2, 1e-12);
  EXPECT_EQ(relative_half_width({7}), 0);
}

TEST(Summarise, GivesMedianDeviationAndPercentiles) {
  const Measurement time = summarise({100, 2, 1, 4, 3});
  EXPECT_DOUBLE_EQ(time.median.value(), 3);
  // Distances from 3: 97, 1, 2, 1, 0; their median is 1.
  EXPECT_DOUBLE_EQ(time.median_absolute_deviation.value(), 1);
  // Positions 0.05 * 4 = 0.2: 1 + 0.2 * 1; and 0.95 * 4 = 3.8: 4 + 0.8 * 96.
  EXPECT_DOUBLE_EQ(time.p5.value(), 1.2);
  EXPECT_DOUBLE_EQ(time.p95.value(), 80.8);
  EXPECT_EQ(time.samples, 5);
  EXPECT_TRUE(time.noisy);
}

TEST(Summarise, TailsThatAreFarApartAreNoisyEvenWhenTheMedianIsSure) {
  // 90 of 100 samples are 1 s, so the median's interval is 1..1; p5 = 1 and p95 = 1.5, 50 % apart.
  std::vector<double> values(90, 1.0);
  values.insert(values.end(), 10, 1.5);
  EXPECT_EQ(relative_half_width(values), 0);
  EXPECT_TRUE(summarise(values).noisy);
}

Profile profile_with(int noisy, int quiet) {
  Profile profile;
  MeasuredLaunch launch{"x", {Seconds(1), Seconds(0), Seconds(1), Seconds(1), 3, true}};
  profile.launches.assign(static_cast<std::size_t>(noisy), launch);
  launch.time.noisy = false;
  profile.launches.insert(profile.launches.end(), static_cast<std::size_t>(quiet), launch);
  return profile;
}

TEST(NoteNoise, SaysSoWhenMoreThanATenthIsNoisy) {
  Profile quiet = profile_with(1, 9);
  note_noise(quiet);
  EXPECT_TRUE(quiet.notes.empty());
  Profile noisy = profile_with(2, 8);
  note_noise(noisy);
  ASSERT_EQ(noisy.notes.size(), 1U);
  EXPECT_EQ(noisy.notes[0].rfind("the machine was noisy: 2 of 10", 0), 0U) << noisy.notes[0];
}

}  // namespace
}  // namespace paceline
