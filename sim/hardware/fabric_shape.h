// How the switches of a network between nodes are joined. Nodes are numbered as they are cabled: the first
// ones share the first switch. Oversubscription is the rate of all ports below a switch over that of its
// uplinks: 1 lets everything through, 2 half of it.
#pragma once

#include <variant>

#include "base/quantity.h"

namespace paceline {

// Every node reaches every other at its full rate: one switch, or a network without oversubscription.
struct SingleSwitch {};

// All NICs of a node below the same leaf; every leaf joined to all spines.
struct LeafSpine {
  int hosts_per_leaf = 1;
  double oversubscription = 1;
};

// NIC i of every node below leaf i of its group of nodes; all leaves joined to all spines.
struct RailOptimized {
  int hosts_per_leaf = 1;
  double oversubscription = 1;
};

// Edge switches in pods, pods joined by a core.
struct FatTree {
  int hosts_per_edge = 1, edges_per_pod = 2;
  double edge_oversubscription = 1, pod_oversubscription = 1;
};

// Groups of routers; within a group each router is linked to each other, and the groups are linked pairwise,
// the global links of a group's routers dealt out evenly to the other groups in turn.
struct Dragonfly {
  int groups = 2, routers_per_group = 1, hosts_per_router = 1;
  int global_links = 1;      // of a router
  BytesPerSecond link_rate;  // of a link between routers, one direction
};

using FabricShape = std::variant<SingleSwitch, LeafSpine, RailOptimized, FatTree, Dragonfly>;

}  // namespace paceline
