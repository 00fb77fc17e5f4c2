#include "sim/analytic/step_clock.h"

#include <algorithm>

namespace paceline {
namespace {

void run(const LayerCost& cost, double scale, StepClock& clock) {
  if (cost.kernels.empty()) return;
  if (cost.operators > 0) clock.device = std::max(clock.device, clock.host);
  clock.device += total_time(cost) * scale;
}

}  // namespace

void walk_forward(const StepRequest& request, int batch, double replicas, const LayerFilter& include,
                  StepClock& clock) {
  for (const Layer& layer : request.model.layers) {
    if (include && !include(layer)) continue;
    const LayerCost cost = request.kernels.forward(layer, batch);
    clock.host += request.framework.host.forward_operator * (cost.operators * replicas);
    run(cost, request.scale.forward, clock);
  }
}

void walk_backward(const StepRequest& request, int batch, const LayerFilter& include, StepClock& clock,
                   const std::function<void(const Layer&)>& layer_done) {
  const auto& layers = request.model.layers;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    if (include && !include(*layer)) continue;
    const LayerCost cost = request.kernels.backward(*layer, batch);
    clock.host += request.framework.host.backward_operator * cost.operators;
    run(cost, request.scale.backward, clock);
    if (layer_done) layer_done(*layer);
  }
}

StepClock after_local_micro_batches(const StepRequest& request) {
  return after_local_micro_batches(request, request.strategy.accumulation - 1);
}

StepClock after_local_micro_batches(const StepRequest& request, int count) {
  if (count < 1) return {};
  const ComputeTime time = compute_time(request, request.batch_per_device);
  const HostRules& host = request.framework.host;
  const Seconds device = time.forward + time.backward + weight_casts_time(request) +
                         request.kernels.accumulation(request.model).time;
  const Seconds launch =
      host.forward_operator * time.forward_operators + host.backward_operator * time.backward_operators;
  return {std::max(device, launch) * count, launch * count};
}

Seconds weight_casts_time(const StepRequest& request) {
  const auto casts = request.kernels.weight_casts(request.model);
  return casts ? casts->time : Seconds(0);
}

Seconds optimizer_time(const StepRequest& request) {
  return request.kernels.optimizer(request.model, request.strategy.optimizer).time * request.scale.optimizer;
}

Seconds end_of_step(const StepRequest& request, const StepClock& clock) {
  const auto tensors = static_cast<double>(request.model.parameters.size());
  const Seconds launched = clock.host + request.framework.host.optimizer_tensor * tensors;
  return std::max(clock.device, launched) + optimizer_time(request);
}

}  // namespace paceline
