#include "sim/cost/host_slot.h"

#include <algorithm>

namespace paceline {

int devices_on_slot(const Cluster& cluster, int devices) {
  return std::max(1, std::min(cluster.host.devices_per_switch, devices));
}

bool has_nics_below_switches(const Cluster& cluster) {
  const int below = std::max(1, cluster.host.devices_per_switch);
  return cluster.network && cluster.network->nics * below >= cluster.devices_per_node;
}

// Each copy could take the whole slot, so they share it equally.
Seconds host_copies_time(const CollectiveCost& collectives, Bytes bytes, int devices) {
  const CollectiveTime one = collectives.host_copy(bytes);
  return one.latency + one.wire / (one.rate / devices_on_slot(collectives.cluster(), devices));
}

}  // namespace paceline
