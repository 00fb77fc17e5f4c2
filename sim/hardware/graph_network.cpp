// The switches between the nodes. Switches that share all traffic of a level are one vertex with the rate of
// all their links: which spine a flow takes is not this graph's question.
#include <fmt/format.h>

#include "sim/hardware/dragonfly.h"
#include "sim/hardware/graph_builder.h"

namespace paceline {

void TopologyBuilder::add_network() {
  const Network& network = *cluster_.network;
  if (const auto* leaves = std::get_if<LeafSpine>(&network.shape)) {
    join_leaves(leaves->hosts_per_leaf, leaves->hosts_per_leaf / leaves->oversubscription, false,
                add(VertexKind::spine, "spine"));
  } else if (const auto* rails = std::get_if<RailOptimized>(&network.shape)) {
    join_leaves(rails->hosts_per_leaf, rails->hosts_per_leaf / rails->oversubscription, true,
                add(VertexKind::spine, "spine"));
  } else if (const auto* tree = std::get_if<FatTree>(&network.shape)) {
    join_fat_tree(*tree);
  } else if (const auto* dragonfly = std::get_if<Dragonfly>(&network.shape)) {
    join_dragonfly(*dragonfly);
  } else {
    const std::size_t core = add(VertexKind::core, "switch");
    for (const auto& node : nics_)
      for (const std::size_t nic : node) link(LinkKind::network, nic, core, network.rate);
  }
}

// `uplinks` of a leaf in nodes' worth of the NICs that it carries: all of a node, or one with rails.
void TopologyBuilder::join_leaves(int hosts, double uplinks, bool rails, std::size_t spine) {
  const Network& network = *cluster_.network;
  const int per_group = rails ? network.nics : 1;
  std::vector<std::size_t> leaves;
  for (std::size_t node = 0; node < nics_.size(); ++node) {
    if (node % static_cast<std::size_t>(hosts) == 0) {
      leaves.clear();
      for (int rail = 0; rail < per_group; ++rail) {
        const std::size_t group = node / static_cast<std::size_t>(hosts);
        leaves.push_back(add(VertexKind::leaf, rails ? fmt::format("leaf {}, rail {}", group, rail)
                                                     : fmt::format("leaf {}", group)));
        link(LinkKind::network, leaves.back(), spine, network.rate * (network.nics / per_group) * uplinks);
      }
    }
    for (std::size_t nic = 0; nic < nics_[node].size(); ++nic)
      link(LinkKind::network, nics_[node][nic], leaves[rails ? nic : 0], network.rate);
  }
}

void TopologyBuilder::join_fat_tree(const FatTree& tree) {
  const Network& network = *cluster_.network;
  const BytesPerSecond node_rate = network.rate * network.nics;
  const int in_pod = tree.hosts_per_edge * tree.edges_per_pod;
  const std::size_t core = add(VertexKind::core, "core");
  std::size_t pod = 0, edge = 0;
  for (std::size_t node = 0; node < nics_.size(); ++node) {
    if (node % static_cast<std::size_t>(in_pod) == 0) {
      pod = add(VertexKind::spine, fmt::format("pod {}", node / static_cast<std::size_t>(in_pod)));
      link(LinkKind::network, pod, core,
           node_rate * (in_pod / (tree.edge_oversubscription * tree.pod_oversubscription)));
    }
    if (node % static_cast<std::size_t>(tree.hosts_per_edge) == 0) {
      const std::size_t number = node / static_cast<std::size_t>(tree.hosts_per_edge);
      edge = add(VertexKind::leaf, fmt::format("edge {}", number));
      link(LinkKind::network, edge, pod, node_rate * (tree.hosts_per_edge / tree.edge_oversubscription));
    }
    for (const std::size_t nic : nics_[node]) link(LinkKind::network, nic, edge, network.rate);
  }
}

void TopologyBuilder::join_dragonfly(const Dragonfly& shape) {
  const int a = shape.routers_per_group;
  std::vector<std::size_t> routers;
  for (int router = 0; router < shape.groups * a; ++router) {
    routers.push_back(add(VertexKind::router, fmt::format("router {}.{}", router / a, router % a)));
    for (int peer = router / a * a; peer < router; ++peer)
      link(LinkKind::network, routers[static_cast<std::size_t>(peer)], routers.back(), shape.link_rate);
  }
  for (int group = 0; group < shape.groups; ++group) {
    for (int other = 0; other < group; ++other) {
      for (int index = 0; index < links_between_groups(shape); ++index) {
        const int here = group * a + gateway(shape, group, other, index);
        const int there = other * a + gateway(shape, other, group, index);
        link(LinkKind::network, routers[static_cast<std::size_t>(there)],
             routers[static_cast<std::size_t>(here)], shape.link_rate);
      }
    }
  }
  for (std::size_t node = 0; node < nics_.size(); ++node)
    for (const std::size_t nic : nics_[node])
      link(LinkKind::network, nic, routers[node / static_cast<std::size_t>(shape.hosts_per_router)],
           cluster_.network->rate);
}

}  // namespace paceline
