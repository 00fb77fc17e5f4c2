// Horovod's cycles: which gradients travel together. Times in ms, tensors of 1 MiB.
#include "sim/strategy/fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paceline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

class Fusion : public ::testing::Test {
 protected:
  // Handed over and computed at these times.
  void run(const std::vector<std::pair<double, double>>& gradients, double threshold, double cycle) {
    Model model;
    std::vector<GradientTime> times;
    for (const auto& [handed_over, computed] : gradients) {
      times.push_back({model.parameters.size(), milliseconds(handed_over), milliseconds(computed)});
      model.parameters.push_back({"t", 1 << 18});
    }
    sizes_.clear();
    waits_.clear();
    for (const FusedResponse& each : fuse(model, times, {mebibytes(threshold), milliseconds(cycle), 4})) {
      EXPECT_EQ(each.bucket.bytes, mebibytes(1) * static_cast<double>(each.bucket.parameters.size()));
      sizes_.push_back(each.bucket.parameters.size());
      waits_.push_back(each.wait.value() * 1e3);
    }
  }
  std::vector<std::size_t> sizes_;
  std::vector<double> waits_;
};

auto near(double value) { return DoubleNear(value, 1e-9); }

// Idle thread: a tensor handed over at 10 is seen half a cycle of 4 later, at 12, with the one of 11; the
// next of 30 alone at 32.
TEST_F(Fusion, TakesWhatHasComeByTheNextCycle) {
  run({{10, 10}, {11, 11}, {30, 30}}, 64, 4);
  EXPECT_THAT(sizes_, ElementsAre(2, 1));
  EXPECT_THAT(waits_, ElementsAre(near(1), near(2)));  // 12 - 11, 32 - 30
}

// The first response waits for its tensor until 50; by then the two others have come, and the next cycle,
// which is overdue, takes them at once.
TEST_F(Fusion, GathersWhileTheDeviceLagsBehind) {
  run({{10, 50}, {20, 60}, {30, 70}}, 64, 4);
  EXPECT_THAT(sizes_, ElementsAre(1, 2));
  EXPECT_THAT(waits_, ElementsAre(near(2), near(0)));  // 12 - 10; at 50, when the thread is free
}

// A cycle begins a cycle after the one before: at 12 the first, at 16 the second, for 13 and 14.
TEST_F(Fusion, KeepsTheRhythmOfItsCycles) {
  run({{10, 10}, {13, 13}, {14, 14}}, 64, 4);
  EXPECT_THAT(sizes_, ElementsAre(1, 2));
  EXPECT_THAT(waits_, ElementsAre(near(2), near(2)));
}

// Five together with room for two: 2, 2, 1 in one cycle; the later ones wait for no further cycle.
TEST_F(Fusion, SplitsWhatTheBufferCannotHold) {
  run({{10, 10}, {10, 10}, {10, 10}, {10, 10}, {10, 10}}, 2, 4);
  EXPECT_THAT(sizes_, ElementsAre(2, 2, 1));
  EXPECT_THAT(waits_, ElementsAre(near(2), near(0), near(0)));
}

// A tensor larger than the buffer goes by itself, as with a threshold of 0.
TEST_F(Fusion, NeverSplitsATensor) {
  run({{10, 10}, {10, 10}}, 0, 4);
  EXPECT_THAT(sizes_, ElementsAre(1, 1));
}

}  // namespace
}  // namespace paceline
