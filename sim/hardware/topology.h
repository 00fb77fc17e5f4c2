// What the links of a node allow a group of its devices.
#pragma once

#include "sim/hardware/cluster.h"

namespace paceline {

// How the devices 0 ... n-1 of a node reach each other, as a ring uses it.
struct GroupLink {
  BytesPerSecond raw;        // data-sheet rate at which a device sends along the rings
  BytesPerSecond cap;        // further bound on the efficient rate, from the CPU interconnect; 0 = none
  bool host_staged = false;  // through host memory: no peer access
  int rings = 1;             // meshes of known links: edge-disjoint rings found
  double efficiency = 1;     // of rings that have to hop over a device
};
[[nodiscard]] GroupLink group_link(const Cluster& cluster, const Device& device, int devices);

// Number of edge-disjoint directed Hamiltonian cycles among devices 0 ... n-1 of the NVLink hybrid cube mesh
// of a DGX-1V, 2 <= n <= 8: 1 2 4 0 2 4 6. Found by search on the link list.
[[nodiscard]] int cube_mesh_rings(int devices);

// One link of a mesh, one direction: the cluster's rate for a cube mesh, else the share of the device's rate
// that falls to each link of the device that has the most. `links` as in the cluster, or those of its kind.
[[nodiscard]] BytesPerSecond mesh_link_rate(const Interconnect& interconnect, const LinkMatrix& links);

// What the CPU interconnect lets through, one direction: the cluster's figure, else that of boards of the
// PCIe generation.
[[nodiscard]] BytesPerSecond between_roots(const Interconnect& interconnect, const Device& device);

}  // namespace paceline
