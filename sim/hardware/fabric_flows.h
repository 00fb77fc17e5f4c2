// Who sends how much to whom between the nodes of a group, before any link is looked at.
#pragma once

#include <vector>

#include "sim/hardware/fabric.h"

namespace paceline {

struct Flow {
  int from = 0, to = 0;  // nodes
  double amount = 0;     // of what a node's NICs carry in one direction
};

// Ring or tree (the traffic of which grows with the nodes and not with their square), so that the busiest
// node sends or receives 1. Empty for a single node.
[[nodiscard]] std::vector<Flow> sparse_flows(const std::vector<int>& nodes, Traffic traffic);

}  // namespace paceline
