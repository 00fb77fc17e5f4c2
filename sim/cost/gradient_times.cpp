#include "sim/cost/gradient_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace paceline {
namespace {

// How far the host has launched and the device has computed.
struct Clock {
  Seconds host, device;

  void run(const LayerCost& cost, Seconds per_operator, double scale) {
    host += per_operator * cost.operators;
    if (cost.kernels.empty()) return;
    if (cost.operators > 0) device = std::max(device, host);
    device += total_time(cost) * scale;
  }
};

}  // namespace

std::vector<GradientTime> gradient_times(const StepRequest& request, bool at_end) {
  const HostRules& rules = request.framework.host;
  const int batch = request.batch_per_device;
  Clock clock;
  if (const auto casts = request.kernels.weight_casts(request.model)) clock.device += casts->time;
  for (const Layer& layer : request.model.layers)
    clock.run(request.kernels.forward(layer, batch), rules.forward_operator, request.scale.forward);
  std::vector<GradientTime> times;
  for (auto layer = request.model.layers.rbegin(); layer != request.model.layers.rend(); ++layer) {
    clock.run(request.kernels.backward(*layer, batch), rules.backward_operator, request.scale.backward);
    for (const std::size_t parameter : layer->parameters)
      times.push_back({parameter, clock.host, clock.device});
  }
  if (at_end)
    for (GradientTime& each : times) each = {each.parameter, clock.host, clock.device};
  return times;
}

HorovodPlan horovod_plan(const StepRequest& request) {
  const Framework& framework = request.framework;
  if (!framework.horovod)
    throw InputError("strategy", fmt::format("\"horovod\" with framework \"{}\"", framework.name),
                     "a framework whose file has figures of Horovod",
                     "choose another framework, or add \"horovod\" to its file");
  HorovodPlan plan;
  plan.engine = *framework.horovod;
  plan.engine.fusion_threshold = request.strategy.fusion_threshold.value_or(plan.engine.fusion_threshold);
  plan.engine.cycle_time = request.strategy.cycle_time.value_or(plan.engine.cycle_time);
  plan.overlap = request.strategy.overlap.value_or(framework.gradients.overlap);
  if (framework.gradients.half_gradients && is_mixed(request.kernels.settings().precision)) plan.element = 2;
  plan.responses = fuse(request.model, gradient_times(request, !plan.overlap),
                        {plan.engine.fusion_threshold, plan.engine.cycle_time, plan.element});
  return plan;
}

Seconds fusion_copy_time(const StepRequest& request, const HorovodPlan& plan, const Bucket& bucket) {
  const auto tensors = static_cast<double>(bucket.parameters.size());
  if (tensors < 2) return Seconds(0);
  return bucket.bytes * 2 / request.kernels.bandwidth() + plan.engine.per_tensor * (tensors / 2);
}

Seconds negotiation_time(const StepRequest& request, const HorovodPlan& plan, const FusedResponse& response) {
  if (request.devices <= request.devices_per_node) return response.wait;
  const auto tensors = static_cast<double>(response.bucket.parameters.size());
  return response.wait + plan.engine.network_per_tensor * tensors;
}

}  // namespace paceline
