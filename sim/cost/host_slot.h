// PCIe switches: the devices below one reach the host over one slot, which each has for itself elsewhere.
#pragma once

#include "sim/cost/collective_cost.h"

namespace paceline {

// Of the first `devices` devices of a node: how many share a slot to the host.
[[nodiscard]] int devices_on_slot(const Cluster& cluster, int devices);

// The node has NICs below its switches, so that what goes to other nodes stays clear of the slots to the
// host.
[[nodiscard]] bool has_nics_below_switches(const Cluster& cluster);

// Copies from host memory to each of the first `devices` devices of a node at the same time, `bytes` each.
[[nodiscard]] Seconds host_copies_time(const CollectiveCost& collectives, Bytes bytes, int devices);

}  // namespace paceline
