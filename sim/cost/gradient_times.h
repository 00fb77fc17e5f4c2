// When the gradients of a rank's last micro-batch come, communication left out: what Horovod, which groups
// tensors by the moment at which they are ready, decides by.
#pragma once

#include <vector>

#include "sim/cost/step_request.h"
#include "sim/strategy/fusion.h"

namespace paceline {

// In ready order, counted from the start of the micro-batch. `at_end`: all of them are handed over when
// backward is over.
[[nodiscard]] std::vector<GradientTime> gradient_times(const StepRequest& request, bool at_end);

// What Horovod does with them under the request's strategy and framework. Throws InputError when the
// framework has no figures for it.
struct HorovodPlan {
  HorovodEngine engine;  // the strategy's choices applied
  bool overlap = true;
  double element = 4;  // bytes of a gradient on the wire
  std::vector<FusedResponse> responses;
};
[[nodiscard]] HorovodPlan horovod_plan(const StepRequest& request);

// A response's copy into the fusion buffer, or out of it: nothing for a tensor that travels by itself.
[[nodiscard]] Seconds fusion_copy_time(const StepRequest& request, const HorovodPlan& plan,
                                       const Bucket& bucket);
// Of the background thread, from the moment when it is free and the last tensor handed over.
[[nodiscard]] Seconds negotiation_time(const StepRequest& request, const HorovodPlan& plan,
                                       const FusedResponse& response);

}  // namespace paceline
