// What the network between nodes lets through when all of a group's nodes send at once.
#pragma once

#include <vector>

#include "sim/hardware/cluster.h"

namespace paceline {

enum class Traffic {
  ring,          // every node to the next one, NIC i to NIC i
  tree,          // up and down the edges of NCCL's double binary tree of nodes, NIC i to NIC i
  all_to_all,    // every NIC to every NIC of all other nodes, the same amount
  rail_aligned,  // every NIC to the NICs of its own index, as all-to-all does that first moves data inside
                 // the node (NCCL's PXN)
};

// The rate per node that the fabric lets through over the sum of the node's NICs; in (0, 1], 1 where nothing
// is oversubscribed. The amounts are those at which the busiest node would send or receive as fast as its
// NICs; they share links by max-min fairness, and since a collective is as fast as its slowest flow, the
// share is that of the flow that gets least: the least capacity / load over all links, counted in O(nodes)
// and for all-to-all in closed form from the nodes below each switch. Nodes beyond the cluster's max_nodes
// must not be asked for. 1 for a cluster without a network. Throws InputError for a node that has no place in
// a dragonfly.
[[nodiscard]] double fabric_share(const Cluster& cluster, int nodes, Traffic traffic);  // nodes 0 ... n-1

// The same for any nodes, in the order of their ranks.
[[nodiscard]] double fabric_share(const Cluster& cluster, const std::vector<int>& nodes, Traffic traffic);

}  // namespace paceline
