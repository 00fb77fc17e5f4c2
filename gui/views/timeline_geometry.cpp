#include "gui/views/timeline_geometry.h"

#include <algorithm>

namespace paceline::gui {

TimelineGeometry::TimelineGeometry(const TimelineLayout& layout)
    : row_top(layout.row_count()), counter_top(layout.counters().size()) {
  for (const TrackGroup& group : layout.groups()) {
    group_top.push_back(height);
    height += group_height;
    for (std::size_t index = 0; index < group.track_count; ++index) {
      const LaidTrack& track = layout.tracks()[group.first_track + index];
      track_top.push_back(height);
      for (std::uint32_t row = 0; row < track.row_count; ++row) {
        row_top[track.first_row + row] = height;
        height += row_height;
      }
      height += track_gap;
    }
    for (const std::size_t counter : group.counters) {
      counter_top[counter] = height;
      height += counter_height + track_gap;
    }
  }
}

std::optional<std::uint32_t> TimelineGeometry::row_at(int y) const {
  const auto above = std::upper_bound(row_top.begin(), row_top.end(), y);
  if (above == row_top.begin() || y >= *std::prev(above) + row_height) return std::nullopt;
  return static_cast<std::uint32_t>(above - row_top.begin() - 1);
}

}  // namespace paceline::gui
