// A simulated step as a Timeline, as a profiler would have recorded it.
#pragma once

#include "sim/engine/engine.h"
#include "sim/plan/program.h"
#include "traces/timeline.h"

namespace paceline {

// One track for each rank and stream; a folded rank appears once, under its first rank's number. A
// communication's slices begin when the operation is reached, as its kernel on a device would, and their
// "wait_ns" argument is how long it waited for the others. Times are rounded to nanoseconds in such a way
// that what did not overlap still does not.
[[nodiscard]] Timeline to_timeline(const Program& program, const Schedule& schedule);

// Nearest nanosecond.
[[nodiscard]] Nanoseconds to_nanoseconds(double seconds);

}  // namespace paceline
