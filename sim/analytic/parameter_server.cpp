// Parameter servers, layer by layer: pulled_i = pulled_(i-1) + transfer_i, a forward starts when its
// parameters are there; pushed_i = max(pushed_(i-1), computed_i) + transfer_i. Asynchronous: or as long as
// the fullest server is busy.
#include <algorithm>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/cost/parameter_server_time.h"

namespace paceline {

Estimate estimate_parameter_server(const StepRequest& request) {
  const ServerTransfers servers = server_transfers(request);
  const Model& model = request.model;
  Estimate result;
  const auto transfer = [&](const Layer& layer) {
    const Bytes bytes = parameter_bytes(model, layer);
    const Seconds time = bytes.value() > 0 ? transfer_time(request, servers, bytes) : Seconds(0);
    result.communication += time;
    return time;
  };
  StepClock clock;
  clock.device = weight_casts_time(request);
  Seconds pulled, pushed;
  for (const Layer& layer : model.layers) {
    pulled += transfer(layer);
    const LayerFilter only = [&](const Layer& each) { return &each == &layer; };
    if (!request.kernels.forward(layer, request.batch_per_device).kernels.empty())
      clock.device = std::max(clock.device, pulled);
    walk_forward(request, request.batch_per_device, 1, only, clock);
  }
  const Layer* last = nullptr;  // to push: the first that has parameters
  for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer)
    if (parameter_bytes(model, *layer).value() > 0) last = &*layer;
  const Seconds spread = request.strategy.asynchronous
                             ? Seconds(0)
                             : arrival_spread(request, request.devices, request.batch_per_device);
  walk_backward(request, request.batch_per_device, {}, clock, [&](const Layer& layer) {
    if (parameter_bytes(model, layer).value() == 0) return;
    pushed = std::max(pushed, clock.device) + transfer(layer) + (&layer == last ? spread : Seconds(0));
  });
  const ComputeTime compute = compute_time(request, request.batch_per_device);
  result.compute = compute.forward + compute.backward;
  result.step = std::max({clock.device, clock.host, pushed, server_busy_time(request, servers)});
  result.exposed_communication = std::max(Seconds(0), result.step - std::max(result.compute, clock.host));
  return result;
}

}  // namespace paceline
