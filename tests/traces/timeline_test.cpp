#include "traces/timeline.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(StringPool, TheSameTextHasTheSameIdAlsoInACopy) {
  StringPool pool;
  const StringId id = pool.intern("gemm");
  EXPECT_EQ(pool.intern(std::string("gemm")), id);
  EXPECT_EQ(pool.intern(""), 0U);
  StringPool copy(pool);
  EXPECT_EQ(copy[id], "gemm");
  EXPECT_EQ(copy.find("gemm"), id);
  EXPECT_FALSE(copy.find("other").has_value());
}

TEST(Timeline, ArgumentsBelongToTheSliceAddedLast) {
  Timeline timeline;
  const TrackId track = timeline.add_track({});
  const SliceId first = timeline.add_slice(track, 0, Family::kernel, 10, 5);
  timeline.add_argument("bytes", std::int64_t{7});
  const SliceId second = timeline.add_slice(track, 0, Family::kernel, 20, 5);
  ASSERT_NE(timeline.find_argument(first, "bytes"), nullptr);
  EXPECT_EQ(std::get<std::int64_t>(timeline.find_argument(first, "bytes")->value), 7);
  EXPECT_EQ(timeline.find_argument(second, "bytes"), nullptr);
}

TEST(Timeline, RebaseMovesSlicesAndCountersAndKeepsAbsoluteTimes) {
  Timeline timeline;
  timeline.base_time = 1000;
  const SliceId slice = timeline.add_slice(timeline.add_track({}), 0, Family::host, 70, 5);
  timeline.counters.push_back({-1, 0, 0, {60}, {1.0}});
  timeline.rebase(50);
  // 1000 + 50 = 1050; 70 - 50 = 20; 60 - 50 = 10; 1050 + 20 = 1000 + 70.
  EXPECT_EQ(timeline.base_time, 1050);
  EXPECT_EQ(timeline.start(slice), 20);
  EXPECT_EQ(timeline.counters[0].times[0], 10);
}

}  // namespace
}  // namespace paceline
