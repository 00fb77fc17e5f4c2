#include "sim/cost/parameter_server_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/cost/host_slot.h"
#include "sim/strategy/placement.h"

namespace paceline {

ServerTransfers server_transfers(const StepRequest& request) {
  const Strategy& strategy = request.strategy;
  if (strategy.accumulation > 1)
    throw InputError("accumulation", std::to_string(strategy.accumulation), "1 with parameter servers",
                     "choose another strategy");
  ServerTransfers servers;
  servers.in_host_memory = request.devices <= request.devices_per_node;
  if (servers.in_host_memory) {
    if (strategy.servers > 1)
      throw InputError("strategy/servers", std::to_string(strategy.servers),
                       "1 in one node: its host memory keeps the variables", "use devices of several nodes");
    return servers;
  }
  const std::optional<MirroredEngine>& transport = request.framework.mirrored;
  servers.fullest = fullest_share(request.model, strategy.servers, strategy.placement);
  servers.network = request.collectives.network_rate() * (transport ? transport->network_share : 1);
  servers.worker = servers.network / request.devices_per_node;
  servers.latency =
      request.collectives
          .collective(CollectiveKind::send_receive, Bytes(4), {request.devices, request.devices_per_node})
          .total();
  return servers;
}

Seconds transfer_time(const StepRequest& request, const ServerTransfers& servers, Bytes bytes) {
  if (servers.in_host_memory) return host_copies_time(request.collectives, bytes, request.devices);
  const int together = request.strategy.asynchronous ? 1 : request.devices;
  return servers.latency + bytes / std::min(servers.worker, servers.network / (servers.fullest * together));
}

Seconds server_busy_time(const StepRequest& request, const ServerTransfers& servers) {
  if (servers.in_host_memory || !request.strategy.asynchronous) return Seconds(0);
  const Bytes all(4 * static_cast<double>(request.model.parameter_count()));
  return all * (servers.fullest * request.devices) / servers.network;
}

Bytes parameter_bytes(const Model& model, const Layer& layer) {
  double elements = 0;
  for (const std::size_t parameter : layer.parameters)
    elements += static_cast<double>(model.parameters[parameter].elements);
  return Bytes(4 * elements);
}

}  // namespace paceline
