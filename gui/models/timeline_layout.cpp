#include "gui/models/timeline_layout.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "traces/chrome/lanes.h"

namespace paceline::gui {
namespace {

// Host before device, as work flows, and the profiler's own remarks last; then as the trace wants it.
auto order_of(const Track& track, bool has_work) {
  return std::tuple(track.rank, !has_work, track.kind == TrackKind::device_stream, track.process_id,
                    track.process_name, track.sort_index, track.thread_id);
}

bool same_group(const Track& a, const Track& b) {
  return a.rank == b.rank && a.process_id == b.process_id && a.process_name == b.process_name;
}

std::string group_title(const Timeline& timeline, const Track& track) {
  const std::string& name = timeline.strings[track.process_name];
  const std::string rank = track.rank >= 0 ? "rank " + std::to_string(track.rank) : "";
  if (name.empty()) return rank.empty() ? "process " + std::to_string(track.process_id) : rank;
  // A trace calls every process "python"; a prediction's names tell the rank already.
  const bool says_rank = name.find(std::to_string(track.rank)) != std::string::npos;
  return rank.empty() || says_rank ? name : rank + " · " + name;
}

std::string track_title(const Timeline& timeline, const Track& track) {
  const std::string& name = timeline.strings[track.name];
  if (!name.empty()) return name;
  const char* word = track.kind == TrackKind::device_stream ? "stream " : "thread ";
  return word + std::to_string(track.thread_id);
}

}  // namespace

TimelineLayout::TimelineLayout(std::shared_ptr<const Timeline> timeline)
    : timeline_(std::move(timeline)), kinds_(slice_kinds(*timeline_)) {
  lay_tracks();
  lay_slices();
  sort_slices();
  lay_counters();
}

void TimelineLayout::lay_tracks() {
  std::vector<bool> is_used(timeline_->tracks.size()), has_work(timeline_->tracks.size());
  for (SliceId slice = 0; slice < timeline_->slice_count(); ++slice) {
    is_used[timeline_->track(slice)] = true;
    if (timeline_->family(slice) != Family::other) has_work[timeline_->track(slice)] = true;
  }
  for (TrackId track = 0; track < is_used.size(); ++track)
    if (is_used[track]) tracks_.push_back({.track = track, .title = {}});
  const auto track_of = [this](const LaidTrack& laid) -> const Track& {
    return timeline_->tracks[laid.track];
  };
  std::stable_sort(tracks_.begin(), tracks_.end(), [&](const LaidTrack& a, const LaidTrack& b) {
    return order_of(track_of(a), has_work[a.track]) < order_of(track_of(b), has_work[b.track]);
  });
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    const Track& track = track_of(tracks_[index]);
    tracks_[index].title = track_title(*timeline_, track);
    if (index == 0 || !same_group(track, track_of(tracks_[index - 1])))
      groups_.push_back({group_title(*timeline_, track), index, 0});
    ++groups_.back().track_count;
  }
}

// A track's lanes stand below each other, and in a lane what is nested stands below what is around it.
void TimelineLayout::lay_slices() {
  const LaneAssignment lanes = assign_lanes(*timeline_);
  std::vector<std::size_t> first_lane(timeline_->tracks.size() + 1, 0);
  for (std::size_t track = 0; track < lanes.lane_count.size(); ++track)
    first_lane[track + 1] = first_lane[track] + lanes.lane_count[track];
  std::vector<SliceId> order(timeline_->slice_count());
  std::iota(order.begin(), order.end(), SliceId{0});
  std::sort(order.begin(), order.end(), [this](SliceId a, SliceId b) {
    return std::tuple(timeline_->start(a), -timeline_->duration(a), a) <
           std::tuple(timeline_->start(b), -timeline_->duration(b), b);
  });
  std::vector<std::vector<Nanoseconds>> open(first_lane.back());  // ends of the open slices of each lane
  std::vector<std::uint32_t> depth(order.size()), deepest(first_lane.back(), 0);
  for (const SliceId slice : order) {
    const std::size_t lane = first_lane[timeline_->track(slice)] + lanes.lane[slice];
    while (!open[lane].empty() && open[lane].back() <= timeline_->start(slice)) open[lane].pop_back();
    depth[slice] = static_cast<std::uint32_t>(open[lane].size());
    open[lane].push_back(timeline_->end(slice));
    deepest[lane] = std::max(deepest[lane], depth[slice] + 1);
  }
  std::vector<std::uint32_t> first_row(first_lane.back());
  std::uint32_t row = 0;
  for (LaidTrack& laid : tracks_) {
    laid.first_row = row;
    for (std::size_t lane = first_lane[laid.track]; lane < first_lane[laid.track + 1]; ++lane) {
      first_row[lane] = row;
      row += deepest[lane];
    }
    laid.row_count = row - laid.first_row;
  }
  first_.assign(row + 1, 0);
  row_of_slice_.resize(order.size());
  for (SliceId slice = 0; slice < order.size(); ++slice)
    row_of_slice_[slice] = first_row[first_lane[timeline_->track(slice)] + lanes.lane[slice]] + depth[slice];
  slice_ = std::move(order);
}

// `slice_` is in order of time; a counting sort by row keeps that order within each row.
void TimelineLayout::sort_slices() {
  const std::vector<SliceId> by_time = std::move(slice_);
  for (const std::uint32_t row : row_of_slice_) ++first_[row + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> place(first_.begin(), first_.end() - 1);
  slice_.assign(by_time.size(), 0);
  for (const SliceId slice : by_time) slice_[place[row_of_slice_[slice]]++] = slice;
  start_.reserve(slice_.size());
  end_.reserve(slice_.size());
  for (const SliceId slice : slice_) {
    start_.push_back(timeline_->start(slice));
    end_.push_back(timeline_->end(slice));
  }
  if (by_time.empty()) return;
  range_ = {*std::min_element(start_.begin(), start_.end()), *std::max_element(end_.begin(), end_.end())};
}

// Below the last device of its rank, else below the rank's first group.
void TimelineLayout::lay_counters() {
  for (const Counter& counter : timeline_->counters) {
    TrackGroup* chosen = nullptr;
    for (TrackGroup& group : groups_) {
      const Track& track = timeline_->tracks[tracks_[group.first_track + group.track_count - 1].track];
      if (track.rank != counter.rank) continue;
      if (!chosen || track.kind == TrackKind::device_stream) chosen = &group;
    }
    if (!chosen || counter.times.empty()) continue;
    chosen->counters.push_back(counters_.size());
    counters_.emplace_back(*timeline_, counter);
  }
}

// The first few decide the colour of a fold; looking at all of them would cost more than the picture.
std::uint32_t TimelineLayout::longest_near(std::uint32_t index, std::uint32_t end, double until) const {
  std::uint32_t longest = index;
  const std::uint32_t last = std::min(end, index + 8);
  for (std::uint32_t other = index + 1; other < last; ++other) {
    if (static_cast<double>(end_[other]) > until) break;
    if (end_[other] - start_[other] > end_[longest] - start_[longest]) longest = other;
  }
  return longest;
}

void TimelineLayout::boxes(std::uint32_t row, const TimeScale& scale, double width, double least,
                           std::vector<SliceBox>& boxes) const {
  boxes.clear();
  const auto from = end_.begin() + first_[row];
  const auto to = end_.begin() + first_[row + 1];
  auto at = std::lower_bound(from, to, scale.origin,
                             [](Nanoseconds end, double time) { return static_cast<double>(end) < time; });
  double free = -std::numeric_limits<double>::infinity();  // left of it there are boxes already
  while (at != to) {
    auto index = static_cast<std::uint32_t>(at - end_.begin());
    const double left = std::max(scale.x(start_[index]), free);
    if (left >= width) break;
    const double right = scale.x(end_[index]);
    SliceBox box{left, std::max(right, left + least), slice_[index], SliceKind::other, false};
    auto next = at + 1;
    if (right - left < least) {
      const double until = scale.time(box.right);
      next = std::upper_bound(next, to, until,
                              [](double time, Nanoseconds end) { return time < static_cast<double>(end); });
      box.folded = next - at > 1;
      index = longest_near(index, static_cast<std::uint32_t>(next - end_.begin()), until);
      box.slice = slice_[index];
    }
    box.kind = kinds_[box.slice];
    if (box.right > 0) boxes.push_back(box);
    free = box.right;
    at = next;
  }
}

std::optional<SliceId> TimelineLayout::slice_at(std::uint32_t row, double time, double tolerance) const {
  const auto from = end_.begin() + first_[row];
  const auto to = end_.begin() + first_[row + 1];
  const auto at = std::lower_bound(
      from, to, time, [](Nanoseconds end, double wanted) { return static_cast<double>(end) < wanted; });
  std::optional<SliceId> best;
  double distance = tolerance;
  const auto consider = [&](std::ptrdiff_t index) {
    const auto place = static_cast<std::size_t>(index);
    const double away =
        std::max({static_cast<double>(start_[place]) - time, time - static_cast<double>(end_[place]), 0.0});
    if (away > distance) return;
    best = slice_[place];
    distance = away;
  };
  if (at != from) consider(at - end_.begin() - 1);
  if (at != to) consider(at - end_.begin());
  return best;
}

}  // namespace paceline::gui
