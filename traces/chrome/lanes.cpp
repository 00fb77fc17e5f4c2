#include "traces/chrome/lanes.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace paceline {
namespace {

constexpr std::size_t deepest = 500;

// The lanes of one track, while its slices pass in order of start.
class Lanes {
 public:
  std::uint32_t place(Nanoseconds start, Nanoseconds end) {
    while (!tops_.empty() && tops_.begin()->first <= start) pop(*tops_.begin());
    const std::uint32_t lane = choose(end);
    if (!open_[lane].empty()) tops_.erase({open_[lane].back(), lane});
    free_.erase(lane);
    open_[lane].push_back(end);
    tops_.insert({end, lane});
    return lane;
  }
  [[nodiscard]] std::uint32_t count() const { return std::max<std::uint32_t>(1, size()); }

 private:
  using Top = std::pair<Nanoseconds, std::uint32_t>;  // end of the innermost open slice, lane

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(open_.size()); }

  void pop(Top top) {
    tops_.erase(top);
    std::vector<Nanoseconds>& ends = open_[top.second];
    ends.pop_back();
    if (ends.empty()) {
      free_.insert(top.second);
    } else {
      tops_.insert({ends.back(), top.second});
    }
  }

  std::uint32_t choose(Nanoseconds end) {
    const auto around = tops_.lower_bound({end, 0});
    if (around != tops_.end() && open_[around->second].size() < deepest) return around->second;
    if (!free_.empty()) return *free_.begin();
    open_.emplace_back();
    return size() - 1;
  }

  std::vector<std::vector<Nanoseconds>> open_;  // of each lane, the ends of its open slices, outermost first
  std::set<Top> tops_;
  std::set<std::uint32_t> free_;
};

}  // namespace

LaneAssignment assign_lanes(const Timeline& timeline) {
  std::vector<SliceId> order(timeline.slice_count());
  std::iota(order.begin(), order.end(), SliceId{0});
  std::sort(order.begin(), order.end(), [&](SliceId a, SliceId b) {
    if (timeline.start(a) != timeline.start(b)) return timeline.start(a) < timeline.start(b);
    if (timeline.duration(a) != timeline.duration(b)) return timeline.duration(a) > timeline.duration(b);
    return a < b;
  });
  std::vector<Lanes> lanes(timeline.tracks.size());
  LaneAssignment assignment;
  assignment.lane.resize(timeline.slice_count());
  for (SliceId slice : order)
    assignment.lane[slice] = lanes[timeline.track(slice)].place(timeline.start(slice), timeline.end(slice));
  for (const Lanes& track : lanes) assignment.lane_count.push_back(track.count());
  return assignment;
}

}  // namespace paceline
