#include "traces/analysis/interval_union.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(IntervalUnion, MergesWhatOverlapsOrTouches) {
  // [0, 10) and [5, 12) overlap, [12, 15) touches: [0, 15). [20, 21) stands alone. 15 + 1 = 16.
  const IntervalUnion united({{20, 21}, {5, 12}, {0, 10}, {12, 15}});
  ASSERT_EQ(united.intervals().size(), 2U);
  EXPECT_EQ(united.intervals()[0].end, 15);
  EXPECT_EQ(united.length(), 16);
}

TEST(IntervalUnion, EmptyIntervalsAddNothing) {
  EXPECT_EQ(IntervalUnion({{3, 3}, {5, 4}}).length(), 0);
  EXPECT_TRUE(IntervalUnion().intervals().empty());
}

TEST(IntervalUnion, AnIntervalInsideAnotherDoesNotShortenIt) {
  EXPECT_EQ(IntervalUnion({{0, 100}, {10, 20}, {30, 40}}).length(), 100);
}

TEST(IntervalUnion, OverlapIsWhatLiesInBoth) {
  // a = [0, 10) + [20, 30), b = [5, 25): [5, 10) and [20, 25), 5 + 5 = 10.
  const IntervalUnion a({{0, 10}, {20, 30}});
  const IntervalUnion b({{5, 25}});
  EXPECT_EQ(overlap(a, b), 10);
  EXPECT_EQ(overlap(b, a), 10);
  EXPECT_EQ(overlap(a, IntervalUnion({{10, 20}})), 0);
}

}  // namespace
}  // namespace paceline
