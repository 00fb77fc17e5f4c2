// How far a device and the host thread that launches its kernels have come in a step: a kernel starts when
// the device is free and its launch is over, so either may hold up the other, layer by layer.
#pragma once

#include <functional>

#include "base/quantity.h"
#include "sim/cost/step_request.h"

namespace paceline {

struct StepClock {
  Seconds device, host;
};

using LayerFilter = std::function<bool(const Layer&)>;  // empty: every layer

// One thread launches `replicas` times the operators of one forward.
void walk_forward(const StepRequest& request, int batch, double replicas, const LayerFilter& include,
                  StepClock& clock);
// After each layer `layer_done` may move the clock on.
void walk_backward(const StepRequest& request, int batch, const LayerFilter& include, StepClock& clock,
                   const std::function<void(const Layer&)>& layer_done = {});

// After all micro-batches but the last, which run without synchronisation.
[[nodiscard]] StepClock after_local_micro_batches(const StepRequest& request);
// After `count` of them.
[[nodiscard]] StepClock after_local_micro_batches(const StepRequest& request, int count);

[[nodiscard]] Seconds weight_casts_time(const StepRequest& request);
[[nodiscard]] Seconds optimizer_time(const StepRequest& request);
// The end of the step: the optimizer runs when its host part is over.
[[nodiscard]] Seconds end_of_step(const StepRequest& request, const StepClock& clock);

}  // namespace paceline
