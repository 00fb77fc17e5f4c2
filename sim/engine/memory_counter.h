// How many bytes a device rank holds over the step.
#pragma once

#include "sim/engine/engine.h"
#include "sim/plan/program.h"
#include "traces/timeline.h"

namespace paceline {

// Adds a counter "memory allocated" for each device rank that has memory events: a point at 0 with what is
// held before the step, then one for each change.
void add_memory_counters(const Program& program, const Schedule& schedule, Timeline& timeline);

}  // namespace paceline
