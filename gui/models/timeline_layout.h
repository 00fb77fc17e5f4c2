// Where the slices of a Timeline stand: groups (a rank's host or device), tracks in them, and rows in which
// no two slices overlap. Struct of arrays, sorted by row and time, so that a view of any width costs what its
// pixels cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/counter_lane.h"
#include "gui/models/slice_kind.h"
#include "gui/models/time_scale.h"
#include "traces/timeline.h"

namespace paceline::gui {

struct LaidTrack {
  TrackId track = 0;
  std::string title;  // "compute stream"
  std::uint32_t first_row = 0, row_count = 0;
};

struct TrackGroup {
  std::string title;                             // "GPU 0"
  std::size_t first_track = 0, track_count = 0;  // in tracks()
  std::vector<std::size_t> counters = {};        // in counters(), below the tracks
};

// What is painted as one: a slice, or several that are too narrow to be told apart.
struct SliceBox {
  double left = 0, right = 0;  // pixels
  SliceId slice = 0;           // the longest of them, as far as was looked
  SliceKind kind = SliceKind::other;
  bool folded = false;
};

class TimelineLayout {
 public:
  explicit TimelineLayout(std::shared_ptr<const Timeline> timeline);

  [[nodiscard]] const Timeline& timeline() const { return *timeline_; }
  [[nodiscard]] const std::vector<TrackGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<LaidTrack>& tracks() const { return tracks_; }
  [[nodiscard]] const std::vector<CounterLane>& counters() const { return counters_; }
  [[nodiscard]] std::uint32_t row_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  [[nodiscard]] TimeRange range() const { return range_; }  // of all slices
  [[nodiscard]] std::uint32_t row_of(SliceId slice) const { return row_of_slice_[slice]; }
  [[nodiscard]] SliceKind kind_of(SliceId slice) const { return kinds_[slice]; }

  // Boxes of a row that touch pixels [0, width), from left to right without overlap; replaces `boxes`. Slices
  // narrower than `least` pixels are folded with those that follow within it.
  void boxes(std::uint32_t row, const TimeScale& scale, double width, double least,
             std::vector<SliceBox>& boxes) const;
  // The slice at a time, or the nearest within `tolerance` nanoseconds.
  [[nodiscard]] std::optional<SliceId> slice_at(std::uint32_t row, double time, double tolerance) const;

 private:
  void lay_tracks();
  void lay_slices();
  void sort_slices();
  void lay_counters();
  [[nodiscard]] std::uint32_t longest_near(std::uint32_t index, std::uint32_t end, double until) const;

  std::shared_ptr<const Timeline> timeline_;
  std::vector<SliceKind> kinds_;
  std::vector<TrackGroup> groups_;
  std::vector<LaidTrack> tracks_;
  std::vector<CounterLane> counters_;
  TimeRange range_;
  std::vector<std::uint32_t> row_of_slice_;
  std::vector<std::uint32_t> first_;  // of each row, into the arrays below; one more for the end
  std::vector<Nanoseconds> start_, end_;
  std::vector<SliceId> slice_;
};

}  // namespace paceline::gui
