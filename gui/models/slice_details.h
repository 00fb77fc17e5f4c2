// A slice in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gui/models/timeline_layout.h"

namespace paceline::gui {

struct Detail {
  std::string name, value;
};

// Name, kind, place, times, every argument, and what it is linked to.
[[nodiscard]] std::vector<Detail> slice_details(const TimelineLayout& layout, SliceId slice);

// Flows that begin or end at the slice, in the order of the Timeline, at most `most`.
[[nodiscard]] std::vector<Flow> flows_of(const Timeline& timeline, SliceId slice, std::size_t most);

}  // namespace paceline::gui
