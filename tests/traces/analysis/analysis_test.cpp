#include "traces/analysis/analysis.h"

#include <gtest/gtest.h>

#include <limits>

namespace paceline {
namespace {

class AnalysisTest : public testing::Test {
 protected:
  TrackId stream(std::int32_t rank) {
    Track track;
    track.rank = rank;
    track.kind = TrackKind::device_stream;
    return timeline.add_track(track);
  }
  void slice(TrackId track, const char* name, Family family, Nanoseconds start, Nanoseconds duration) {
    timeline.add_slice(track, timeline.strings.intern(name), family, start, duration);
  }
  Timeline timeline;
};

TEST_F(AnalysisTest, ExposedCommunicationIsWhatComputationDoesNotCover) {
  const TrackId compute = stream(0);
  const TrackId communication = stream(0);
  slice(compute, "forward", Family::kernel, 0, 100);
  slice(compute, "backward", Family::kernel, 150, 100);
  slice(communication, "all_reduce", Family::communication, 200, 100);
  slice(communication, "all_reduce", Family::communication, 280, 40);
  slice(compute, "copy", Family::copy, 330, 20);
  const Analysis analysis = analyze(timeline);
  ASSERT_EQ(analysis.ranks.size(), 1U);
  const auto& device = analysis.ranks[0].device;
  ASSERT_TRUE(device && device->communication);
  // Communication runs in [200, 300) and [280, 320): 120 together, 100 + 40 = 140 summed. Computation in
  // [150, 250) covers [200, 250) of it: 50; 120 - 50 = 70 are exposed.
  EXPECT_EQ(device->communication->total, 140);
  EXPECT_EQ(device->communication->union_length, 120);
  EXPECT_EQ(device->communication->overlapped, 50);
  EXPECT_EQ(device->communication->exposed, 70);
  EXPECT_DOUBLE_EQ(device->communication->overlapped_share, 50.0 / 120.0);
  // Busy in [0, 100), [150, 320), [330, 350): 100 + 170 + 20 = 290 of 350.
  EXPECT_EQ(device->busy, 290);
  EXPECT_EQ(device->span, 350);
  EXPECT_DOUBLE_EQ(device->busy_share, 290.0 / 350.0);
  EXPECT_EQ(device->kernels, 4U);
  EXPECT_EQ(device->copies_and_sets, 1U);
  EXPECT_EQ(device->streams, 2U);
}

TEST_F(AnalysisTest, WhatIsNoDeviceWorkIsNotBusyTime) {
  const TrackId track = stream(0);
  slice(track, "range", Family::annotation, 0, 1000);
  slice(track, "Stream Wait Event", Family::sync, 0, 1000);
  slice(track, "aten::mm", Family::host, 0, 1000);
  EXPECT_FALSE(analyze(timeline).ranks.at(0).device.has_value());
}

TEST_F(AnalysisTest, WithoutCommunicationThereIsNoneInsteadOfZero) {
  slice(stream(0), "gemm", Family::kernel, 5, 10);
  const Analysis analysis = analyze(timeline);
  ASSERT_TRUE(analysis.ranks[0].device.has_value());
  EXPECT_FALSE(analysis.ranks[0].device->communication.has_value());
  EXPECT_EQ(analysis.ranks[0].device->compute_union, 10);
}

TEST_F(AnalysisTest, KernelsWithoutLengthGiveNoDivisionByZero) {
  slice(stream(0), "ncclDevKernel", Family::communication, 5, 0);
  const Analysis analysis = analyze(timeline);
  const DeviceTime& device = *analysis.ranks[0].device;
  EXPECT_EQ(device.busy_share, 0);
  EXPECT_EQ(device.communication->overlapped_share, 0);
  EXPECT_EQ(analysis.ranks[0].names[0].share, 0);
}

TEST_F(AnalysisTest, RanksAreSeparateAndCanBePicked) {
  slice(stream(1), "gemm", Family::kernel, 0, 10);
  slice(stream(0), "gemm", Family::kernel, 0, 30);
  const Analysis both = analyze(timeline);
  ASSERT_EQ(both.ranks.size(), 2U);
  EXPECT_EQ(both.ranks[0].rank, 0);
  EXPECT_EQ(both.find(1)->device->busy, 10);
  EXPECT_EQ(both.find(7), nullptr);
  const Analysis one = analyze(timeline, 1);
  ASSERT_EQ(one.ranks.size(), 1U);
  EXPECT_EQ(one.ranks[0].rank, 1);
}

TEST_F(AnalysisTest, AllStepsCount) {
  const TrackId host = stream(0);
  slice(host, "ProfilerStep#2", Family::step, 200, 120);
  slice(host, "ProfilerStep#1", Family::step, 100, 90);
  const Analysis analysis = analyze(timeline);
  const RankAnalysis& rank = analysis.ranks[0];
  ASSERT_EQ(rank.steps.size(), 2U);
  EXPECT_EQ(rank.steps[0].name, "ProfilerStep#1");
  // (90 + 120) / 2 = 105.
  EXPECT_DOUBLE_EQ(rank.mean_step.value(), 105);
}

TEST_F(AnalysisTest, NamesAreSortedByTotalAndShareIsOfTheFamily) {
  const TrackId track = stream(0);
  slice(track, "small", Family::kernel, 0, 10);
  slice(track, "large", Family::kernel, 10, 20);
  slice(track, "large", Family::kernel, 30, 10);
  slice(track, "copy", Family::copy, 40, 8);
  const Analysis analysis = analyze(timeline);
  const auto& names = analysis.ranks[0].names;
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names[0].name, "large");
  EXPECT_EQ(names[0].count, 2U);
  EXPECT_DOUBLE_EQ(names[0].mean, 15);
  // Kernels: 30 + 10 = 40, of which 30; the only copy is all of its family.
  EXPECT_DOUBLE_EQ(names[0].share, 0.75);
  EXPECT_EQ(names[2].name, "copy");
  EXPECT_DOUBLE_EQ(names[2].share, 1);
}

TEST_F(AnalysisTest, SumsBeyond63BitsStayAtTheLargest) {
  const TrackId track = stream(0);
  constexpr Nanoseconds huge = Nanoseconds{1} << 61;
  for (int i = 0; i < 8; ++i) slice(track, "endless", Family::kernel, 0, huge);
  const Analysis analysis = analyze(timeline);
  EXPECT_EQ(analysis.ranks[0].device->compute_total, std::numeric_limits<Nanoseconds>::max());
  EXPECT_EQ(analysis.ranks[0].device->compute_union, huge);
}

TEST_F(AnalysisTest, AnEmptyTimelineHasNoRanks) { EXPECT_TRUE(analyze(timeline).ranks.empty()); }

}  // namespace
}  // namespace paceline
