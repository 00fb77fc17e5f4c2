// Lanes: viewers demand that slices of one row nest. Slices that overlap without nesting go to further lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/timeline.h"

namespace paceline {

struct LaneAssignment {
  std::vector<std::uint32_t> lane;        // of each slice; 0 is the track's own row
  std::vector<std::uint32_t> lane_count;  // of each track, at least 1
};

// Within a lane any two slices are disjoint or one contains the other, at most 500 deep (Perfetto's limit is
// 512). A slice goes to the shortest one around it, else to the lowest free lane. O(n log n).
[[nodiscard]] LaneAssignment assign_lanes(const Timeline& timeline);

}  // namespace paceline
