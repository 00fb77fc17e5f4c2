// Where the time of a step goes, seen from its first device.
#pragma once

#include "base/quantity.h"
#include "sim/plan/program.h"
#include "sim/plan/schedule.h"

namespace paceline {

struct StepBreakdown {
  Seconds forward, backward, optimizer;  // busy time of the first device's kernels, by phase
  Seconds communication;                 // union of its collectives and copies, hidden or not
  Seconds exposed_communication;         // the part during which no kernel of its runs
  Seconds contention;                    // by how much communication beside them has lengthened its kernels
  Seconds idle;                          // neither: waiting for the host or for other devices
};

// Collectives and copies between devices are communication; copies from host memory are not. Unions of time
// are exact in the nanoseconds of the timeline.
[[nodiscard]] StepBreakdown breakdown_of(const Program& program, const Schedule& schedule);

}  // namespace paceline
