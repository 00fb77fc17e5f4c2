// How many rings the direct links among some devices carry at once: edge-disjoint directed Hamiltonian
// cycles.
#pragma once

#include <vector>

namespace paceline {

// Links from row to column, symmetric, zero on the diagonal. A link carries one ring each way.
using LinkCounts = std::vector<std::vector<int>>;

// NVLink links of a DGX-1V: one or two between pairs, six at every GPU.
[[nodiscard]] LinkCounts cube_mesh_links();

struct RingCount {
  int rings = 0;
  bool hopping = false;  // no cycle over direct links: a step between two devices may hop over a third
};

// Rings among devices 0 ... n-1 of `links`, 2 <= n. Where every pair has the same number of links the count
// is known in closed form. Elsewhere it is searched: exactly for the meshes that are sold (up to eight
// devices), and up to a fixed number of steps for larger or denser ones, so that the count may then be too
// low, never too high. Without any cycle a step may hop over one device of the group, as NCCL's NVB paths do;
// zero if even that finds none.
[[nodiscard]] RingCount count_rings(const LinkCounts& links, int devices);

}  // namespace paceline
