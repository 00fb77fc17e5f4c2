#include "gui/models/time_scale.h"

#include <gtest/gtest.h>

namespace paceline::gui {
namespace {

TEST(TimeScale, PixelsAndTimesAreInverse) {
  const TimeScale scale{.origin = 500, .per_pixel = 4};
  // (900 - 500) / 4 = 100.
  EXPECT_DOUBLE_EQ(scale.x(900), 100);
  EXPECT_DOUBLE_EQ(scale.time(100), 900);
}

TEST(TimeScale, ZoomKeepsTheTimeUnderThePointer) {
  TimeScale scale{.origin = 0, .per_pixel = 100};
  scale.zoom(4, 250);
  EXPECT_DOUBLE_EQ(scale.per_pixel, 25);
  EXPECT_DOUBLE_EQ(scale.time(250), 25'000);
}

TEST(TimeScale, FitShowsTheWholeRangeInTheMiddle) {
  TimeScale scale;
  scale.fit({1000, 5000}, 800);
  EXPECT_GT(scale.x(1000), 0);
  EXPECT_LT(scale.x(5000), 800);
  EXPECT_NEAR(scale.x(3000), 400, 1e-9);
}

TEST(TimeScale, FitOfAnInstantIsFinite) {
  TimeScale scale;
  scale.fit({70, 70}, 800);
  EXPECT_GT(scale.per_pixel, 0);
  EXPECT_NEAR(scale.x(70), 400, 1e-6);
}

TEST(TimeScale, LimitNeverLosesTheTimelineOrTheResolution) {
  TimeScale scale{.origin = 1e15, .per_pixel = 1e12};
  scale.limit({0, 1000}, 100);
  EXPECT_LT(scale.x(0), 100);
  EXPECT_GT(scale.x(1000), 0);
  scale.per_pixel = 1e-30;
  scale.limit({0, 1000}, 100);
  EXPECT_GE(scale.per_pixel, 0.01);
}

TEST(TimeTicks, AreRoundAndLabelledApart) {
  const TimeScale scale{.origin = 0, .per_pixel = 1000};  // 1 µs a pixel
  const auto ticks = time_ticks(scale, 500, 100);
  // A step of 100 µs is a tenth of a millisecond.
  ASSERT_EQ(ticks.size(), 6u);
  EXPECT_EQ(ticks[0].label, "0.0 ms");
  EXPECT_EQ(ticks[3].label, "0.3 ms");
  EXPECT_DOUBLE_EQ(ticks[3].time, 300'000);
}

TEST(TimeTicks, AtNanosecondsStayApart) {
  const TimeScale scale{.origin = 123'456'780, .per_pixel = 0.05};
  const auto ticks = time_ticks(scale, 400, 100);
  ASSERT_GE(ticks.size(), 2u);
  EXPECT_NE(ticks[0].label, ticks[1].label);
}

}  // namespace
}  // namespace paceline::gui
