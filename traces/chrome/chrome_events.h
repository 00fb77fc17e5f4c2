// The events of a Chrome JSON file.
#pragma once

#include <string>

#include "traces/timeline.h"

namespace paceline {

// Appends the elements of traceEvents, each on a line of its own: metadata rows, slices in the order of their
// ids, flows, counters.
void append_chrome_events(std::string& out, const Timeline& timeline);

}  // namespace paceline
