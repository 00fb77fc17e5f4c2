// All-reduce after backward by the framework: everything in a row, so nothing is hidden.
#include <algorithm>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/cost/mirrored_time.h"

namespace paceline {

Estimate estimate_mirrored(const StepRequest& request) {
  if (request.devices < 2) return estimate_single_device(request);
  const MirroredPlan plan = mirrored_plan(request);
  StepClock clock = after_local_micro_batches(request);
  clock.device += weight_casts_time(request);
  walk_forward(request, request.batch_per_device, 1, {}, clock);
  walk_backward(request, request.batch_per_device, {}, clock);
  if (request.strategy.accumulation > 1)
    clock.device += request.kernels.accumulation(request.model).time * request.scale.backward;
  clock.host = std::max(clock.host, clock.device) + plan.coordination;
  clock.device = clock.host + arrival_spread(request, request.devices, request.batch_per_device);
  Estimate result;
  for (const Bucket& pack : plan.packs) {
    const Seconds reduced = pack_all_reduce(request, plan, pack).total();
    clock.device += reduced + pack_copy_time(request, pack) * 2;
    result.communication += reduced;
  }
  const ComputeTime compute = compute_time(request, request.batch_per_device);
  result.compute = (compute.forward + compute.backward) * request.strategy.accumulation;
  result.optimizer = optimizer_time(request);
  result.exposed_communication = result.communication;
  result.step = end_of_step(request, clock);
  return result;
}

}  // namespace paceline
