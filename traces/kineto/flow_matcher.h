// Joins the starts and ends of flows, and finds the slices they stand in.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/kineto/import_report.h"
#include "traces/kineto/track_table.h"
#include "traces/timeline.h"

namespace paceline {

// A start ("s"), step ("t") or end ("f").
struct FlowEnd {
  static constexpr SliceId unknown = 0xFFFFFFFF;

  std::uint64_t offset = 0;
  Nanoseconds time = 0;
  std::uint64_t id = 0;  // the number, or the StringId of a word
  bool id_is_text = false;
  char phase = 's';
  RowId row = 0;
  StringId category = 0;
  SliceId slice = unknown;  // if the file says which
};

// Adds the flows to the timeline in the order of their starts and returns how many starts and ends were left
// over. An end belongs to the innermost slice around it on its row; among slices that begin at its very time,
// to the one whose correlation is its id, since traces in whole microseconds have many of those.
std::uint64_t match_flows(Timeline& timeline, const TrackTable& tracks, std::vector<FlowEnd> ends,
                          FindingLog& findings);

}  // namespace paceline
