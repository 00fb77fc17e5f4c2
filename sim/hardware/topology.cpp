#include "sim/hardware/topology.h"

#include <algorithm>
#include <array>

namespace paceline {
namespace {

// Bus bandwidth of a DGX-1V: 37.3 GB/s on five devices, whose two rings hop over one, 45.2 on the two rings
// of three.
constexpr double hopping_efficiency = 0.83;

// Boards of PCIe generation 3, 4 and 5, from published 4- and 8-device tables of each.
BytesPerSecond default_between_roots(int pcie_generation) {
  constexpr std::array<double, 3> gigabytes{8.8, 21, 26.5};
  return gigabytes_per_second(gigabytes[static_cast<std::size_t>(std::clamp(pcie_generation, 3, 5) - 3)]);
}

GroupLink over_rings(BytesPerSecond link_rate, const RingCount& count) {
  GroupLink link;
  link.rings = count.rings;
  link.raw = link_rate * count.rings;
  if (count.hopping) link.efficiency = hopping_efficiency;
  return link;
}

GroupLink over_mesh(const Interconnect& inter, int devices) {
  const LinkMatrix& links = inter.links;
  if (devices < 2) {
    GroupLink link;
    link.raw = inter.kind == InterconnectKind::nvlink_cube_mesh ? inter.rate : mesh_link_rate(inter, links);
    return link;
  }
  return over_rings(mesh_link_rate(inter, links), links.rings(std::min(devices, links.devices())));
}

GroupLink over_cube_mesh(const Interconnect& inter, int devices) {
  constexpr int mesh_size = 8;
  if (devices < 2) return over_rings(inter.rate, {1, false});
  const int rings = cube_mesh_rings(std::min(devices, mesh_size));
  return over_rings(inter.rate, rings > 0 ? RingCount{rings, false} : RingCount{2, true});
}

GroupLink over_torus(const Interconnect& inter, int devices) {
  GroupLink link;
  const Torus box = leading_box(inter.torus, devices);
  link.raw = torus_ring_rate(box);
  // Devices that fill no box form a chain: one link there and the same link back.
  if (link.raw.value() <= 0) {
    link.raw = std::min_element(inter.torus.begin(), inter.torus.end(), [](const auto& a, const auto& b) {
                 return a.rate < b.rate;
               })->rate;
  }
  return link;
}

GroupLink over_pcie(const Interconnect& inter, const Device& device, int devices) {
  GroupLink link;
  link.raw = inter.kind == InterconnectKind::pcie ? inter.rate
                                                  : pcie_rate(device.pcie_generation, device.pcie_lanes);
  link.host_staged = !inter.peer_to_peer;
  if (devices > inter.devices_per_root) link.cap = between_roots(inter, device);
  return link;
}

}  // namespace

int cube_mesh_rings(int devices) {
  static const LinkMatrix mesh(cube_mesh_links());
  const RingCount count = mesh.rings(devices);
  return count.hopping ? 0 : count.rings;
}

BytesPerSecond mesh_link_rate(const Interconnect& interconnect, const LinkMatrix& links) {
  if (interconnect.kind == InterconnectKind::nvlink_cube_mesh || links.empty()) return interconnect.rate;
  return interconnect.rate / links.most_links();
}

BytesPerSecond between_roots(const Interconnect& interconnect, const Device& device) {
  return interconnect.between_roots.value() > 0 ? interconnect.between_roots
                                                : default_between_roots(device.pcie_generation);
}

GroupLink group_link(const Cluster& cluster, const Device& device, int devices) {
  const Interconnect& inter = cluster.interconnect;
  if (!inter.links.empty()) return over_mesh(inter, devices);
  switch (inter.kind) {
    case InterconnectKind::nvlink_cube_mesh:
      return over_cube_mesh(inter, devices);
    case InterconnectKind::torus:
      return over_torus(inter, devices);
    case InterconnectKind::nvlink_bridge:
      // Bridges join pairs; a larger group leaves them for PCIe.
      if (devices > 2) return over_pcie(inter, device, devices);
      break;
    case InterconnectKind::pcie:
      return over_pcie(inter, device, devices);
    case InterconnectKind::nvswitch:
    case InterconnectKind::nvlink_mesh:
    case InterconnectKind::xgmi_mesh:
      break;
  }
  GroupLink link;
  link.raw = inter.rate;
  return link;
}

}  // namespace paceline
