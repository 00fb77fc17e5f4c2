#include "gui/models/timeline_layout.h"

#include <gmock/gmock.h>

#include "gui/models/slice_details.h"
#include "tests/gui/sample_timeline.h"

namespace paceline::gui {
namespace {

TEST(TimelineLayout, GroupsHostsAndDevicesOfARank) {
  const TimelineLayout layout(sample_timeline());
  ASSERT_EQ(layout.groups().size(), 2u);
  EXPECT_EQ(layout.groups()[0].title, "rank 0 · python");
  EXPECT_EQ(layout.groups()[1].title, "GPU 0");
  ASSERT_EQ(layout.tracks().size(), 3u);
  EXPECT_EQ(layout.tracks()[0].title, "main thread");
  EXPECT_EQ(layout.tracks()[1].title, "compute stream");
  EXPECT_EQ(layout.tracks()[2].title, "NCCL stream");
}

TEST(TimelineLayout, WhatIsNestedStandsBelowWhatIsAroundIt) {
  const TimelineLayout layout(sample_timeline());
  EXPECT_EQ(layout.tracks()[0].row_count, 2u);
  EXPECT_EQ(layout.row_of(launch_slice), layout.row_of(step_slice) + 1);
  EXPECT_EQ(layout.row_of(forward_slice), layout.row_of(backward_slice));
}

TEST(TimelineLayout, OverlappingSlicesOfATrackGetRowsOfTheirOwn) {
  auto timeline = std::make_shared<Timeline>();
  const TrackId track = timeline->add_track({});
  timeline->add_slice(track, 0, Family::host, 0, 10);
  timeline->add_slice(track, 0, Family::host, 5, 10);
  const TimelineLayout layout(timeline);
  EXPECT_NE(layout.row_of(0), layout.row_of(1));
  EXPECT_EQ(layout.row_count(), 2u);
}

TEST(TimelineLayout, KernelsOfAPredictionHaveTheColourOfTheirPhase) {
  const TimelineLayout layout(sample_timeline());
  EXPECT_EQ(layout.kind_of(forward_slice), SliceKind::forward);
  EXPECT_EQ(layout.kind_of(backward_slice), SliceKind::backward);
  EXPECT_EQ(layout.kind_of(all_reduce_slice), SliceKind::communication);
}

TEST(TimelineLayout, BoxesHaveTheSlicesEdges) {
  const TimelineLayout layout(sample_timeline());
  const TimeScale scale{.origin = 0, .per_pixel = 1000};
  std::vector<SliceBox> boxes;
  layout.boxes(layout.row_of(forward_slice), scale, 800, 3, boxes);
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_EQ(boxes[0].slice, SliceId{forward_slice});
  EXPECT_DOUBLE_EQ(boxes[0].left, 0);
  EXPECT_DOUBLE_EQ(boxes[0].right, 400);
  EXPECT_DOUBLE_EQ(boxes[1].left, 400);
  EXPECT_FALSE(boxes[1].folded);
}

TEST(TimelineLayout, NarrowSlicesFoldAndNeverOverlap) {
  const TimelineLayout layout(dense_timeline(10'000));
  // 10 µs in 300 pixels: 33 ns, more than three slices, a pixel.
  TimeScale scale;
  scale.fit(layout.range(), 300);
  std::vector<SliceBox> boxes;
  layout.boxes(0, scale, 300, 3, boxes);
  ASSERT_FALSE(boxes.empty());
  EXPECT_LE(boxes.size(), 101u);
  EXPECT_TRUE(boxes.front().folded);
  for (std::size_t index = 1; index < boxes.size(); ++index)
    EXPECT_GE(boxes[index].left, boxes[index - 1].right - 1e-9);
}

TEST(TimelineLayout, AFoldHasTheColourOfItsLongestSlice) {
  auto timeline = std::make_shared<Timeline>();
  const TrackId track = timeline->add_track({});
  timeline->add_slice(track, 0, Family::host, 0, 1);
  timeline->add_slice(track, 0, Family::sync, 1, 5);
  const TimelineLayout layout(timeline);
  std::vector<SliceBox> boxes;
  layout.boxes(0, {.origin = 0, .per_pixel = 100}, 300, 3, boxes);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].slice, 1u);
  EXPECT_EQ(boxes[0].kind, SliceKind::sync);
}

TEST(TimelineLayout, OnlyWhatIsInViewMakesBoxes) {
  const TimelineLayout layout(dense_timeline(1000));
  std::vector<SliceBox> boxes;
  // Times 5000 to 5100 ns: slices 500 to 510 touch it.
  layout.boxes(0, {.origin = 5000, .per_pixel = 0.1}, 1000, 3, boxes);
  ASSERT_FALSE(boxes.empty());
  EXPECT_EQ(boxes.front().slice, 500u);
  EXPECT_EQ(boxes.back().slice, 509u);
}

TEST(TimelineLayout, FindsTheSliceAtATime) {
  const TimelineLayout layout(dense_timeline(100));
  EXPECT_EQ(layout.slice_at(0, 53, 0), 5u);
  EXPECT_EQ(layout.slice_at(0, 58, 0), std::nullopt);  // between 56 and 60
  EXPECT_EQ(layout.slice_at(0, 59, 2), 6u);
  EXPECT_EQ(layout.slice_at(0, -50, 2), std::nullopt);
}

TEST(TimelineLayout, OfNothingIsEmpty) {
  const TimelineLayout layout(std::make_shared<Timeline>());
  EXPECT_EQ(layout.row_count(), 0u);
  EXPECT_TRUE(layout.groups().empty());
}

TEST(SliceDetails, NameEveryArgumentAndLink) {
  const TimelineLayout layout(sample_timeline());
  std::vector<std::string> lines;
  for (const Detail& detail : slice_details(layout, forward_slice))
    lines.push_back(detail.name + "=" + detail.value);
  EXPECT_THAT(lines, testing::ElementsAre("name=conv forward", "kind=forward", "on=GPU 0 · compute stream",
                                          "start=0 s", "duration=400 µs", "phase=forward", "bytes=4096",
                                          "follows=launch at 0 s"));
}

}  // namespace
}  // namespace paceline::gui
