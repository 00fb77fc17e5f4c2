// The links of the devices of a step, as resources that their transfers share: to the other devices of the
// node, the PCIe slot in each direction, and a device's part of the node's network.
#pragma once

#include "sim/cost/collective_cost.h"
#include "sim/plan/program.h"

namespace paceline {

struct DeviceLinks {
  ResourceId peers = no_id;  // NVLink and the like; no_id: the devices reach each other over their slots
  ResourceId to_device = 0, from_device = 0;  // the slot, which carries both directions at a time
  // Part of the slot of a PCIe switch that several devices are below; no_id: theirs leads to the host.
  ResourceId from_host = no_id, to_host = no_id;
  ResourceId network = no_id;  // no_id: all devices are in one node
};

class LinkPlan {
 public:
  LinkPlan(const CollectiveCost& collectives, int ranks, int devices_per_node);

  [[nodiscard]] DeviceLinks add(Program& program, RankId rank) const;

  // What a communication with its rate set takes from the links of a device: of a collective of all ranks, of
  // which it sends and receives every byte; of a copy from or to host memory; of copies between devices, of
  // which this one receives or sends `share`.
  void use_for_collective(const Program& program, Communication& communication,
                          const DeviceLinks& links) const;
  void use_for_host_copy(const Program& program, Communication& communication, const DeviceLinks& links,
                         bool to_device) const;
  void use_for_peer_copy(const Program& program, Communication& communication, const DeviceLinks& links,
                         bool receives, double share) const;

 private:
  void use_switch_for_collective(const Program& program, Communication& communication,
                                 const DeviceLinks& links) const;

  const CollectiveCost& collectives_;
  int in_node_;  // devices of a node that take part
  bool several_nodes_;
  bool over_slots_;  // devices of a node reach each other over PCIe
  int on_slot_;      // devices that share a slot to the host
};

}  // namespace paceline
