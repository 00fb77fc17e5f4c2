// Vertical places of groups, tracks and rows in the timeline view, above any scrolling.
#pragma once

#include <optional>
#include <vector>

#include "gui/models/timeline_layout.h"

namespace paceline::gui {

struct TimelineGeometry {
  static constexpr int label_width = 190;
  static constexpr int ruler_height = 24;
  static constexpr int group_height = 22;
  static constexpr int row_height = 20;
  static constexpr int counter_height = 44;
  static constexpr int track_gap = 4;

  std::vector<int> group_top, track_top, row_top, counter_top;
  int height = 0;

  TimelineGeometry() = default;
  explicit TimelineGeometry(const TimelineLayout& layout);

  // Counted from the top of the first group.
  [[nodiscard]] std::optional<std::uint32_t> row_at(int y) const;
};

}  // namespace paceline::gui
