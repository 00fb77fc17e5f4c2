// Paths of a Topology. A step costs more than any number of steps of a better class, so that the cheapest
// path is one of the best class, and of fewest links in it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>

#include "sim/hardware/graph.h"

namespace paceline {
namespace {

using Cost = std::int64_t;
constexpr Cost direct = 1, over_device = 10'000, chip_to_chip = 1'000'000, pcie = 10'000'000,
               cpu_to_pcie = 100'000'000, past_device_to_nic = 1'000'000'000, root = 10'000'000'000,
               sockets = 1'000'000'000'000, network = 100'000'000'000'000, never = -1;

bool is_direct(LinkKind kind) {
  return kind == LinkKind::nvlink || kind == LinkKind::xgmi || kind == LinkKind::ici;
}

Cost cost_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::nvlink:
    case LinkKind::xgmi:
    case LinkKind::ici:
      return direct;
    case LinkKind::c2c:
      return chip_to_chip;
    case LinkKind::pcie:
      return pcie;
    case LinkKind::cpu:
      return sockets;
    case LinkKind::network:
      return network;
  }
  return network;
}

// What passing through a vertex adds; `never` where data does not pass. A device forwards between its direct
// links, and between them and a NIC that no root complex parts from it, but only as the first device on the
// way, as NCCL has it; a torus routes any way.
struct Passed {
  int devices = 0, roots = 0, networks = 0;
};
Cost through(VertexKind kind, LinkKind in, LinkKind out, bool from_nic, const Passed& before) {
  if (kind == VertexKind::root_complex) {
    const int chip_links = (in == LinkKind::c2c ? 1 : 0) + (out == LinkKind::c2c ? 1 : 0);
    return chip_links == 2 ? 0 : chip_links == 1 ? cpu_to_pcie : root;
  }
  if (kind == VertexKind::nic)
    return (in == LinkKind::network) != (out == LinkKind::network) && !(from_nic && out == LinkKind::network)
               ? 0
               : never;
  if (kind != VertexKind::device) return 0;
  if (in == LinkKind::ici && out == LinkKind::ici) return over_device;
  if (before.devices > 0) return never;
  if (is_direct(in) && is_direct(out)) return over_device;
  const bool to_nic = !from_nic && is_direct(in) && out == LinkKind::pcie;
  const bool of_nic = from_nic && in == LinkKind::pcie && is_direct(out) && before.roots == 0;
  return to_nic || of_nic ? past_device_to_nic : never;
}

class Search {
 public:
  Search(const std::vector<Vertex>& vertices, const std::vector<Link>& links,
         const std::vector<std::vector<std::size_t>>& links_of, std::size_t from, bool past_devices)
      : vertices_(vertices),
        links_(links),
        links_of_(links_of),
        from_(from),
        past_devices_(past_devices),
        reached_(vertices.size()) {
    reached_[from] = {0, std::numeric_limits<double>::infinity(), 0, 0};
    queue_.push({0, -reached_[from].bandwidth, from});
    while (!queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      if (entry.cost == reached_[entry.vertex].cost && -entry.narrowness == reached_[entry.vertex].bandwidth)
        expand(entry.vertex);
    }
  }

  [[nodiscard]] Path path_to(std::size_t vertex) const {
    Path path;
    if (reached_[vertex].cost == unreached) return path;
    if (vertex == from_) return {PathClass::loc, BytesPerSecond(0), {}};
    path.bandwidth = BytesPerSecond(reached_[vertex].bandwidth);
    for (std::size_t at = vertex; at != from_; at = other_end(path.links.back(), at))
      path.links.push_back(reached_[at].link);
    std::reverse(path.links.begin(), path.links.end());
    path.path_class = class_of(path.links);
    return path;
  }

 private:
  static constexpr Cost unreached = std::numeric_limits<Cost>::max();
  struct Reached {
    Cost cost = unreached;
    double bandwidth = 0;
    std::size_t link = 0;
    Passed passed;
  };
  struct Entry {
    Cost cost;
    double narrowness;  // -bandwidth, so that the widest of equal cost comes first
    std::size_t vertex;
    bool operator<(const Entry& other) const {
      return cost != other.cost               ? cost > other.cost
             : narrowness != other.narrowness ? narrowness > other.narrowness
                                              : vertex > other.vertex;
    }
  };

  [[nodiscard]] std::size_t other_end(std::size_t link, std::size_t vertex) const {
    return links_[link].a == vertex ? links_[link].b : links_[link].a;
  }

  void expand(std::size_t vertex) {
    const Reached here = reached_[vertex];
    for (const std::size_t link : links_of_[vertex]) {
      Cost cost = here.cost + cost_of(links_[link].kind);
      if (vertex != from_) {
        const Cost extra = through(vertices_[vertex].kind, links_[here.link].kind, links_[link].kind,
                                   vertices_[from_].kind == VertexKind::nic, here.passed);
        if (extra == never || (extra == past_device_to_nic && !past_devices_)) continue;
        cost += extra;
      }
      const double bandwidth = std::min(here.bandwidth, links_[link].rate.value());
      Passed passed = here.passed;
      passed.devices += vertex != from_ && vertices_[vertex].kind == VertexKind::device;
      passed.roots += vertices_[vertex].kind == VertexKind::root_complex;
      passed.networks += links_[link].kind == LinkKind::network;
      // Data that comes in by one NIC does not leave by another. The way over another device ends at the NICs
      // beside it; beyond, the own root complex is the way.
      const VertexKind target = vertices_[other_end(link, vertex)].kind;
      if (passed.networks > 0 && links_[link].kind == LinkKind::pcie && target == VertexKind::nic) continue;
      if (passed.devices > 0 && target == VertexKind::root_complex) continue;
      Reached& there = reached_[other_end(link, vertex)];
      if (cost > there.cost || (cost == there.cost && bandwidth <= there.bandwidth)) continue;
      there = {cost, bandwidth, link, passed};
      queue_.push({cost, -bandwidth, other_end(link, vertex)});
    }
  }

  // From what the path passes; the first question that is answered with yes decides.
  [[nodiscard]] PathClass class_of(const std::vector<std::size_t>& links) const {
    int switches = 0, roots = 0, devices = 0, c2c = 0, pcie_links = 0;
    bool between_sockets = false, on_network = false;
    std::size_t at = from_;
    for (const std::size_t link : links) {
      at = other_end(link, at);
      switches += vertices_[at].kind == VertexKind::pcie_switch;
      roots += vertices_[at].kind == VertexKind::root_complex;
      devices += vertices_[at].kind == VertexKind::device;
      c2c += links_[link].kind == LinkKind::c2c;
      pcie_links += links_[link].kind == LinkKind::pcie;
      on_network = on_network || links_[link].kind == LinkKind::network;
      if (links_[link].kind == LinkKind::cpu)
        between_sockets =
            between_sockets || vertices_[links_[link].a].socket != vertices_[links_[link].b].socket;
    }
    const bool over = devices - (vertices_[at].kind == VertexKind::device ? 1 : 0) > 0;
    if (on_network) return PathClass::net;
    if (between_sockets) return PathClass::sys;
    if (pcie_links == 0 && c2c == 0 && roots == 0) return over ? PathClass::nvb : PathClass::nvl;
    if (pcie_links == 0) return c2c > 0 ? PathClass::c2c : PathClass::phb;
    if (c2c > 0) return PathClass::p2c;
    if (roots > 0) return PathClass::phb;
    if (over) return PathClass::pxn;
    return switches > 1 ? PathClass::pxb : PathClass::pix;
  }

  const std::vector<Vertex>& vertices_;
  const std::vector<Link>& links_;
  const std::vector<std::vector<std::size_t>>& links_of_;
  std::size_t from_;
  bool past_devices_;  // to a NIC over another device
  std::vector<Reached> reached_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

// A device does not go to another one of its node the way that it goes to that one's NIC.
std::vector<Path> Topology::paths(std::size_t from) const {
  const Search any(vertices_, links_, links_of_, from, true);
  const Search without(vertices_, links_, links_of_, from, vertices_[from].kind != VertexKind::device);
  std::vector<Path> found;
  found.reserve(vertices_.size());
  for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex) {
    const bool to_nic =
        vertices_[vertex].kind == VertexKind::nic || vertices_[vertex].node != vertices_[from].node;
    found.push_back((to_nic ? any : without).path_to(vertex));
  }
  return found;
}

}  // namespace paceline
