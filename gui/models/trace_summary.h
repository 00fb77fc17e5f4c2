// A trace's analysis as tables, and what the reader had to repair as a line.
#pragma once

#include <string>

#include "base/table.h"
#include "gui/models/trace_opener.h"

namespace paceline::gui {

[[nodiscard]] Table rank_table(const Analysis& analysis);
// The costliest work of all ranks, at most `most` rows; steps and annotations are no work.
[[nodiscard]] Table name_table(const Analysis& analysis, std::size_t most);
// "trace.json: Kineto JSON, 1,234 slices on 5 tracks; 3 records repaired, 1 dropped"
[[nodiscard]] std::string trace_line(const OpenedTrace& trace);

}  // namespace paceline::gui
