#include "sim/cost/step_request.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace paceline {

void require_one_node(const StepRequest& request) {
  if (request.devices <= request.devices_per_node) return;
  throw InputError("devices", fmt::format("{} on nodes of {}", request.devices, request.devices_per_node),
                   "devices of one node: nn.DataParallel is one process",
                   "use DDP, or at most the devices of one node");
}

ComputeTime compute_time(const StepRequest& request, int batch) {
  ComputeTime sum;
  for (const Layer& layer : request.model.layers) {
    const LayerCost forward = request.kernels.forward(layer, batch);
    const LayerCost backward = request.kernels.backward(layer, batch);
    sum.forward += total_time(forward) * request.scale.forward;
    sum.backward += total_time(backward) * request.scale.backward;
    sum.forward_operators += forward.operators;
    sum.backward_operators += backward.operators;
  }
  return sum;
}

Seconds arrival_spread(const StepRequest& request, int ranks, int batch) {
  if (ranks < 2) return Seconds(0);
  const ComputeTime time = compute_time(request, batch);
  return (time.forward + time.backward) *
         (request.kernels.time_spread() * std::sqrt(2 * std::log(ranks)) * request.strategy.accumulation);
}

}  // namespace paceline
