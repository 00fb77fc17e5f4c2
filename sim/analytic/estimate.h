// Closed-form step time of a data-parallel step: the recurrences of the strategies over the same costs as the
// engine's, without events. For searches of many points, and as a check on the engine: where nothing contends
// the two agree to the rounding of sums; where all-reduces slow kernels down, within 2 %.
#pragma once

#include "base/quantity.h"
#include "sim/cost/step_request.h"

namespace paceline {

struct Estimate {
  Seconds step;
  Seconds compute;  // forward and backward kernels of a rank
  Seconds optimizer;
  Seconds communication;          // all of it, hidden or not
  Seconds exposed_communication;  // what it adds to the step
};

// Throws InputError where the planner would.
[[nodiscard]] Estimate estimate(const StepRequest& request);

}  // namespace paceline
