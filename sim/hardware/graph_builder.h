// Puts a cluster's vertices and links together, node by node, and joins the NICs by the network.
#pragma once

#include "sim/hardware/graph.h"

namespace paceline {

class TopologyBuilder {
 public:
  TopologyBuilder(Topology& topology, const Cluster& cluster, const Device& device)
      : topology_(topology), cluster_(cluster), device_(device) {}

  std::size_t add(VertexKind kind, const std::string& name, int node = -1, int socket = -1);
  void link(LinkKind kind, std::size_t a, std::size_t b, BytesPerSecond rate, int count = 1);

  void add_node(int node);
  // Joins NIC i of every node; defined in graph_network.cpp.
  void add_network();

 private:
  void add_roots(int node);
  void add_devices(int node);
  void add_nics(int node);
  void add_direct_links(int node);
  void add_mesh(const LinkCounts& counts, BytesPerSecond rate, LinkKind kind);
  void add_torus();
  // The switch or root complex above a device.
  [[nodiscard]] std::size_t above(int device) const;

  void join_leaves(int hosts, double uplinks, bool rails, std::size_t spine);
  void join_fat_tree(const FatTree& tree);
  void join_dragonfly(const Dragonfly& shape);

  Topology& topology_;
  const Cluster& cluster_;
  const Device& device_;
  std::vector<std::size_t> roots_, switches_, devices_;  // of the node being added
  std::vector<std::vector<std::size_t>> nics_;           // by node
};

}  // namespace paceline
