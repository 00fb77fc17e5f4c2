// Process and thread ids for a Chrome JSON file: one process a rank and place, one thread a lane, none used
// twice.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/chrome/lanes.h"
#include "traces/timeline.h"

namespace paceline {

struct RowIds {
  struct Process {
    std::int64_t id = 0;
    std::int32_t rank = -1;
    StringId name = 0;
    bool has_device = false;
  };
  std::vector<Process> processes;
  std::vector<std::size_t> process;              // of each track, into processes
  std::vector<std::vector<std::int64_t>> lanes;  // of each track, the thread ids of its lanes
  std::vector<std::size_t> counter_process;      // of each counter, into processes
};

// A track keeps its own ids where they are free and not negative; other rows get ids above all in use.
[[nodiscard]] RowIds assign_row_ids(const Timeline& timeline, const LaneAssignment& lanes);

}  // namespace paceline
