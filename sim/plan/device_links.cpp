#include "sim/plan/device_links.h"

#include <algorithm>

namespace paceline {
namespace {

// Bridges join pairs; a larger group leaves them for PCIe.
bool reach_over_slots(const Cluster& cluster, int devices) {
  constexpr int bridged = 2;
  const InterconnectKind kind = cluster.interconnect.kind;
  return kind == InterconnectKind::pcie || (kind == InterconnectKind::nvlink_bridge && devices > bridged);
}

// `weight` bytes cross the resource for each byte of the transfer. A transfer that alone is measured to be
// faster than that lets through does pass, and then takes all of the resource.
void use(const Program& program, Communication& communication, ResourceId resource, double weight) {
  const double most = program.resources[resource].capacity / communication.rate;
  communication.uses.push_back({resource, std::min(weight, most)});
}

}  // namespace

LinkPlan::LinkPlan(const CollectiveCost& collectives, int ranks, int devices_per_node)
    : collectives_(collectives),
      in_node_(std::min(ranks, devices_per_node)),
      several_nodes_(ranks > devices_per_node),
      over_slots_(reach_over_slots(collectives.cluster(), in_node_)) {}

DeviceLinks LinkPlan::add(Program& program, RankId rank) const {
  DeviceLinks links;
  if (!over_slots_)
    links.peers = program.add_resource({"device link", collectives_.link_rate(in_node_), rank});
  // What large copies reach: the headers of its packets are of no use to anyone.
  const BytesPerSecond slot = collectives_.host_copy(mebibytes(1)).rate;
  links.to_device = program.add_resource({"PCIe slot, to the device", slot, rank});
  links.from_device = program.add_resource({"PCIe slot, from the device", slot, rank});
  if (several_nodes_)
    links.network =
        program.add_resource({"share of the node's network", collectives_.network_rate() / in_node_, rank});
  return links;
}

// Beside links of their own, devices use their slots for what goes to other nodes: of what a rank sends, the
// node sends as much, and each device's NIC a part of it. Over slots alone everything passes there once,
// wherever it goes.
void LinkPlan::use_for_collective(const Program& program, Communication& communication,
                                  const DeviceLinks& links) const {
  const double part_of_node = 1.0 / in_node_;
  if (links.peers != no_id) use(program, communication, links.peers, 1);
  if (links.peers == no_id || several_nodes_) {
    const double share = links.peers == no_id ? 1 : part_of_node;
    use(program, communication, links.to_device, share);
    use(program, communication, links.from_device, share);
  }
  if (links.network != no_id) use(program, communication, links.network, part_of_node);
}

void LinkPlan::use_for_host_copy(const Program& program, Communication& communication,
                                 const DeviceLinks& links) const {
  use(program, communication, links.to_device, 1);
}

void LinkPlan::use_for_peer_copy(const Program& program, Communication& communication,
                                 const DeviceLinks& links, bool receives, double share) const {
  const ResourceId slot = receives ? links.to_device : links.from_device;
  use(program, communication, links.peers == no_id ? slot : links.peers, share);
}

}  // namespace paceline
