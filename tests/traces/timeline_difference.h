// Compares Timelines by value.
#pragma once

#include <string>

#include "traces/timeline.h"

namespace paceline {

// The first difference in tracks, slices, arguments, flows or counters, in words; empty if there is none.
// String ids may differ where the strings are the same.
std::string difference(const Timeline& a, const Timeline& b);

}  // namespace paceline
