#include "sim/hardware/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "sim/hardware/graph_builder.h"

namespace paceline {

const char* to_string(LinkKind kind) {
  constexpr std::array<const char*, 7> names{"NVLink", "xGMI", "ICI", "C2C", "PCIe", "CPU", "network"};
  return names[static_cast<std::size_t>(kind)];
}

const char* to_string(PathClass path_class) {
  constexpr std::array<const char*, 12> names{"LOC", "NVL", "NVB", "C2C", "PIX", "PXB",
                                              "P2C", "PXN", "PHB", "SYS", "NET", "DIS"};
  return names[static_cast<std::size_t>(path_class)];
}

Topology::Topology(const Cluster& cluster, const Device& device, int nodes) {
  if (nodes < 1 || nodes > cluster.max_nodes) {
    throw InputError("nodes", std::to_string(nodes), fmt::format("1 to {}", cluster.max_nodes),
                     fmt::format("{} has no more nodes", cluster.name));
  }
  TopologyBuilder builder(*this, cluster, device);
  for (int node = 0; node < nodes; ++node) builder.add_node(node);
  if (cluster.network) builder.add_network();
}

std::vector<std::size_t> Topology::of_kind(int node, VertexKind kind) const {
  std::vector<std::size_t> found;
  for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex)
    if (vertices_[vertex].node == node && vertices_[vertex].kind == kind) found.push_back(vertex);
  return found;
}

}  // namespace paceline
