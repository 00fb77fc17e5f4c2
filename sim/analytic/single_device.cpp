// One device: forward, backward, optimizer.
#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"

namespace paceline {

Estimate estimate_single_device(const StepRequest& request) {
  StepClock clock = after_local_micro_batches(request);
  clock.device += weight_casts_time(request);
  walk_forward(request, request.batch_per_device, 1, {}, clock);
  walk_backward(request, request.batch_per_device, {}, clock);
  if (request.strategy.accumulation > 1)
    clock.device += request.kernels.accumulation(request.model).time * request.scale.backward;
  const ComputeTime compute = compute_time(request, request.batch_per_device);
  Estimate result;
  result.step = end_of_step(request, clock);
  result.compute = (compute.forward + compute.backward) * request.strategy.accumulation;
  result.optimizer = optimizer_time(request);
  return result;
}

}  // namespace paceline
