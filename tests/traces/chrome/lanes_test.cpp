#include "traces/chrome/lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paceline {
namespace {

using testing::ElementsAre;

class LanesTest : public testing::Test {
 protected:
  LanesTest() { timeline.add_track({}); }
  void slice(Nanoseconds start, Nanoseconds end) {
    timeline.add_slice(0, 0, Family::host, start, end - start);
  }
  std::vector<std::uint32_t> lanes() { return assign_lanes(timeline).lane; }
  Timeline timeline;
};

TEST_F(LanesTest, NestedAndDisjointSlicesShareALane) {
  slice(0, 100);
  slice(10, 50);
  slice(50, 100);  // touches the one before and ends with the one around
  slice(100, 120);
  slice(60, 60);
  EXPECT_THAT(lanes(), ElementsAre(0, 0, 0, 0, 0));
}

TEST_F(LanesTest, ASliceThatCrossesAnotherGoesToALaneOfItsOwn) {
  slice(0, 50);
  slice(40, 90);  // crosses the first
  slice(60, 80);  // inside the second, whose lane it shares
  slice(95, 99);  // lane 0 is free again
  EXPECT_THAT(lanes(), ElementsAre(0, 1, 1, 0));
}

TEST_F(LanesTest, EqualStartsNestTheShorterInTheLonger) {
  slice(0, 10);
  slice(0, 30);
  slice(0, 30);
  EXPECT_THAT(lanes(), ElementsAre(0, 0, 0));
}

TEST_F(LanesTest, ManyCrossingSlicesTakeAsManyLanes) {
  for (Nanoseconds i = 0; i < 1000; ++i) slice(i, i + 1000);
  EXPECT_EQ(assign_lanes(timeline).lane_count[0], 1000U);
}

TEST_F(LanesTest, NestingStaysBelowTheViewersLimit) {
  for (Nanoseconds i = 0; i < 1200; ++i) slice(i, 10000 - i);
  // 500 deep each: 500 + 500 + 200.
  EXPECT_EQ(assign_lanes(timeline).lane_count[0], 3U);
}

}  // namespace
}  // namespace paceline
