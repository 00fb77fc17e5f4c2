#include "sim/hardware/topology.h"

#include <algorithm>
#include <array>
#include <vector>

namespace paceline {
namespace {

constexpr int mesh_size = 8;

// What the CPU interconnect lets through, one direction, when the cluster file does not say: 8.8 GB/s on
// boards of PCIe generation 3, 21 on 4, 26.5 on 5, from published 4- and 8-device tables of each.
BytesPerSecond default_between_roots(int pcie_generation) {
  constexpr std::array<double, 3> gigabytes{8.8, 21, 26.5};
  return gigabytes_per_second(gigabytes[static_cast<std::size_t>(std::clamp(pcie_generation, 3, 5) - 3)]);
}
using LinkCounts = std::array<std::array<int, mesh_size>, mesh_size>;

// NVLink2 links of a DGX-1V (nvidia-smi topo -m: NV1 or NV2 between pairs); a link carries one cycle each
// way.
LinkCounts cube_mesh_links() {
  struct Pair {
    int a, b, links;
  };
  constexpr std::array<Pair, 16> pairs{{{0, 1, 1},
                                        {0, 2, 1},
                                        {0, 3, 2},
                                        {0, 4, 2},
                                        {1, 2, 2},
                                        {1, 3, 1},
                                        {1, 5, 2},
                                        {2, 3, 2},
                                        {2, 6, 1},
                                        {3, 7, 1},
                                        {4, 5, 1},
                                        {4, 6, 1},
                                        {4, 7, 2},
                                        {5, 6, 2},
                                        {5, 7, 1},
                                        {6, 7, 2}}};
  LinkCounts counts{};
  for (const Pair& pair : pairs) {
    counts[static_cast<std::size_t>(pair.a)][static_cast<std::size_t>(pair.b)] = pair.links;
    counts[static_cast<std::size_t>(pair.b)][static_cast<std::size_t>(pair.a)] = pair.links;
  }
  return counts;
}

using Cycle = std::vector<std::size_t>;

void collect_cycles(const LinkCounts& links, std::size_t n, Cycle& path, std::vector<Cycle>& cycles) {
  if (path.size() == n) {
    if (links[path.back()][0] > 0) cycles.push_back(path);
    return;
  }
  for (std::size_t next = 1; next < n; ++next) {
    if (links[path.back()][next] == 0 || std::find(path.begin(), path.end(), next) != path.end()) continue;
    path.push_back(next);
    collect_cycles(links, n, path, cycles);
    path.pop_back();
  }
}

bool take(LinkCounts& links, const Cycle& cycle, int amount) {
  bool possible = true;
  for (std::size_t hop = 0; hop < cycle.size(); ++hop) {
    int& left = links[cycle[hop]][cycle[(hop + 1) % cycle.size()]];
    left -= amount;
    possible = possible && left >= 0;
  }
  return possible;
}

// Depth-first packing; `bound` is what the scarcest device could still carry.
int pack(LinkCounts& links, const std::vector<Cycle>& cycles, std::size_t from, int found, int bound) {
  int best = found;
  for (std::size_t index = from; index < cycles.size() && best < bound; ++index) {
    if (take(links, cycles[index], 1)) best = std::max(best, pack(links, cycles, index, found + 1, bound));
    take(links, cycles[index], -1);
  }
  return best;
}

}  // namespace

int cube_mesh_rings(int devices) {
  const auto n = static_cast<std::size_t>(devices);
  LinkCounts links = cube_mesh_links();
  std::vector<Cycle> cycles;
  Cycle path{0};
  collect_cycles(links, n, path, cycles);
  int bound = mesh_size * mesh_size;
  for (std::size_t a = 0; a < n; ++a) {
    int out = 0;
    for (std::size_t b = 0; b < n; ++b) out += links[a][b];
    bound = std::min(bound, out);
  }
  return pack(links, cycles, 0, 0, bound);
}

GroupLink group_link(const Cluster& cluster, const Device& device, int devices) {
  const Interconnect& inter = cluster.interconnect;
  GroupLink link;
  const BytesPerSecond slot = pcie_rate(device.pcie_generation, device.pcie_lanes);
  switch (inter.kind) {
    case InterconnectKind::nvlink_cube_mesh: {
      link.rings = devices < 2 ? 1 : cube_mesh_rings(std::min(devices, mesh_size));
      if (link.rings == 0) {  // five devices: two rings that hop over a device
        link.rings = 2;
        link.efficiency = 0.83;
      }
      link.raw = inter.rate * link.rings;
      return link;
    }
    case InterconnectKind::nvlink_bridge:
      // Bridges join pairs; a larger group leaves them for PCIe.
      if (devices <= 2) {
        link.raw = inter.rate;
        return link;
      }
      break;
    case InterconnectKind::nvswitch:
    case InterconnectKind::nvlink_mesh:
    case InterconnectKind::xgmi_mesh:
      link.raw = inter.rate;
      return link;
    case InterconnectKind::pcie:
      break;
  }
  link.raw = inter.kind == InterconnectKind::pcie ? inter.rate : slot;
  link.host_staged = !inter.peer_to_peer;
  if (devices > inter.devices_per_root) {
    link.cap =
        inter.between_roots.value() > 0 ? inter.between_roots : default_between_roots(device.pcie_generation);
  }
  return link;
}

}  // namespace paceline
