#include "sim/plan/device_links.h"

#include <algorithm>

#include "sim/cost/host_slot.h"

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
      over_slots_(reach_over_slots(collectives.cluster(), in_node_)),
      on_slot_(devices_on_slot(collectives.cluster(), in_node_)) {}

DeviceLinks LinkPlan::add(Program& program, RankId rank) const {
  DeviceLinks links;
  if (!over_slots_)
    links.peers = program.add_resource({"device link", collectives_.link_rate(in_node_), rank});
  // What large copies reach: the headers of its packets are of no use to anyone.
  const BytesPerSecond slot = collectives_.host_copy(mebibytes(1)).rate;
  links.to_device = program.add_resource({"PCIe slot, to the device", slot, rank});
  links.from_device = program.add_resource({"PCIe slot, from the device", slot, rank});
  if (on_slot_ > 1) {
    links.from_host =
        program.add_resource({"share of the switch's slot, from the host", slot / on_slot_, rank});
    links.to_host = program.add_resource({"share of the switch's slot, to the host", slot / on_slot_, rank});
  }
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
  if (links.from_host != no_id) use_switch_for_collective(program, communication, links);
}

// A ring over slots enters and leaves each switch once; through host memory, every device does. NICs that are
// not below the switches are reached by way of the host.
void LinkPlan::use_switch_for_collective(const Program& program, Communication& communication,
                                         const DeviceLinks& links) const {
  const Cluster& cluster = collectives_.cluster();
  double share = 0;
  if (over_slots_) share = cluster.interconnect.peer_to_peer ? 1.0 / on_slot_ : 1;
  if (!over_slots_ && several_nodes_ && !has_nics_below_switches(cluster)) share = 1.0 / in_node_;
  if (share == 0) return;
  use(program, communication, links.from_host, share);
  use(program, communication, links.to_host, share);
}

void LinkPlan::use_for_host_copy(const Program& program, Communication& communication,
                                 const DeviceLinks& links, bool to_device) const {
  use(program, communication, to_device ? links.to_device : links.from_device, 1);
  // Not `use`: alone, too, it is one of as many copies as there are devices below the switch.
  if (links.from_host != no_id)
    communication.uses.push_back({to_device ? links.from_host : links.to_host, 1});
}

void LinkPlan::use_for_peer_copy(const Program& program, Communication& communication,
                                 const DeviceLinks& links, bool receives, double share) const {
  const ResourceId slot = receives ? links.to_device : links.from_device;
  use(program, communication, links.peers == no_id ? slot : links.peers, share);
}

}  // namespace paceline
