// The hardware of a cluster as a graph: what is linked to what, at which rate, and how data gets from one
// device or NIC to another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/hardware/cluster.h"

namespace paceline {

enum class VertexKind {
  device,
  nv_switch,
  pcie_switch,
  root_complex,  // with the CPU socket that it belongs to
  nic,
  leaf,    // also edge switches of a fat tree
  spine,   // also the switches that join the edges of a pod
  core,    // top of a fat tree; the one switch of a network without shape
  router,  // of a dragonfly
};

enum class LinkKind { nvlink, xgmi, ici, c2c, pcie, cpu, network };
[[nodiscard]] const char* to_string(
    LinkKind kind);  // "NVLink", "xGMI", "ICI", "C2C", "PCIe", "CPU", "network"

// In NCCL's order, best first (nccl src/graph/topo.h).
enum class PathClass {
  loc,  // itself
  nvl,  // direct links of the device, perhaps through their switch
  nvb,  // the same over another device
  c2c,  // the chip-to-chip link of CPU and device
  pix,  // one PCIe switch
  pxb,  // several PCIe switches, no root complex
  p2c,  // chip-to-chip link, then PCIe of the CPU
  pxn,  // to a NIC over another device that is closer to it
  phb,  // a root complex
  sys,  // the interconnect between sockets
  net,  // the network
  dis,  // none
};
[[nodiscard]] const char* to_string(PathClass path_class);  // "LOC", "NVL", ...

struct Vertex {
  VertexKind kind;
  std::string name;  // "GPU0", "NIC3", "leaf 2"; unique inside its node, or in the network
  int node = -1;     // -1: of the network
  int socket = -1;   // root complexes only
};

// Both directions at the same rate.
struct Link {
  LinkKind kind;
  std::size_t a = 0, b = 0;  // vertices
  BytesPerSecond rate;       // one direction, of all parallel links together
  int count = 1;             // parallel links
};

struct Path {
  PathClass path_class = PathClass::dis;
  BytesPerSecond bandwidth;        // of the narrowest link; 0 for LOC and DIS
  std::vector<std::size_t> links;  // in order
};

class Topology {
 public:
  // Throws InputError if `nodes` is not in 1 ... max_nodes.
  Topology(const Cluster& cluster, const Device& device, int nodes);

  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  // Vertices of the devices and NICs of a node, by number.
  [[nodiscard]] std::vector<std::size_t> devices(int node) const { return of_kind(node, VertexKind::device); }
  [[nodiscard]] std::vector<std::size_t> nics(int node) const { return of_kind(node, VertexKind::nic); }

  // Paths of the best class from `from` to every vertex; among those the one of fewest links, then the
  // widest. O((vertices + links) log vertices).
  [[nodiscard]] std::vector<Path> paths(std::size_t from) const;

 private:
  friend class TopologyBuilder;
  [[nodiscard]] std::vector<std::size_t> of_kind(int node, VertexKind kind) const;

  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<std::vector<std::size_t>> links_of_;  // by vertex
};

}  // namespace paceline
