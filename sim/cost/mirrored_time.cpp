#include "sim/cost/mirrored_time.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace paceline {

MirroredPlan mirrored_plan(const StepRequest& request) {
  const Framework& framework = request.framework;
  if (!framework.mirrored)
    throw InputError("strategy", fmt::format("\"mirrored\" with framework \"{}\"", framework.name),
                     "a framework whose file has figures of it",
                     "choose another framework, or add \"mirrored\" to its file");
  const MirroredEngine& engine = *framework.mirrored;
  const bool half = framework.gradients.half_gradients && is_mixed(request.kernels.settings().precision);
  const Bytes cap = engine.pack.value() > 0 ? engine.pack : Bytes(std::numeric_limits<double>::infinity());
  MirroredPlan plan;
  plan.packs = assign_buckets(request.model, gradient_ready_order(request.model), cap, cap, half ? 2 : 4);
  const bool several_nodes = request.devices > request.devices_per_node;
  const Seconds each = several_nodes ? engine.per_tensor + engine.network_per_tensor : engine.per_tensor;
  plan.coordination = each * static_cast<double>(request.model.parameters.size());
  if (several_nodes) plan.network_share = engine.network_share;
  return plan;
}

Seconds pack_copy_time(const StepRequest& request, const Bucket& pack) {
  if (pack.parameters.size() < 2) return Seconds(0);
  return pack.bytes * 2 / request.kernels.bandwidth();
}

CollectiveTime pack_all_reduce(const StepRequest& request, const MirroredPlan& plan, const Bucket& pack) {
  CollectiveTime time = request.collectives.collective(CollectiveKind::all_reduce, pack.bytes,
                                                       {request.devices, request.devices_per_node});
  time.rate = time.rate * plan.network_share;
  return time;
}

}  // namespace paceline
