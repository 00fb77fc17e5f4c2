// The search graph of NCCL: how many channels of which bandwidth class it finds between the devices of a
// group, which decides its channel counts and feeds its cost model. Bandwidths are those that NCCL assumes,
// GB/s a channel, not what links reach.
#pragma once

#include <optional>

#include "sim/collective/collective.h"

namespace paceline {

// What the search looks at.
struct NcclMachine {
  int compute_capability = 80;  // 80 = 8.0
  int ranks = 1, nodes = 1;
  bool nvlink = true;  // devices of a node reach each other over NVLink
  bool nvswitch = false;
  double path = 0;             // GB/s between two neighbours of a ring
  double device = 0;           // GB/s of all links of a device together
  int rings = 0;               // edge-disjoint rings of single links, where there is no switch; 0: a switch
  int nics = 0;                // of a node
  double nic = 0;              // GB/s of one
  bool nvls_hardware = false;  // multicast in the switch
  bool ll128 = true;           // its constants are known for the links inside a node
  bool amd_cpu = false;
  [[nodiscard]] int per_node() const { return (ranks + nodes - 1) / nodes; }
};

struct NcclGraph {
  int channels = 1;             // of the search
  double intra = 0, inter = 0;  // GB/s a channel
};

// NCCL's own rate of one NVLink of the compute capability, GB/s one direction; 0 when it has no NVLink.
[[nodiscard]] double nccl_nvlink_rate(int compute_capability);
// ... of what joins the processors of a node, by whose they are and the generation of the slots beside them.
[[nodiscard]] double nccl_processor_rate(bool amd, int pcie_generation);
// What NCCL counts for a slot of sixteen lanes: 12, 24, 48, 96 GB/s for generation 3 to 6.
[[nodiscard]] double nccl_pcie_rate(int generation, int lanes);

[[nodiscard]] NcclGraph ring_graph(const NcclMachine& machine, int version);
// Trees have the ring's channels; with two nodes their links inside a node may carry twice a NIC's share.
[[nodiscard]] NcclGraph tree_graph(const NcclMachine& machine, const NcclGraph& ring, int version);
// Nothing without multicast hardware.
[[nodiscard]] std::optional<NcclGraph> nvls_graph(const NcclMachine& machine, const NcclGraph& ring,
                                                  int version);
// Channels that the kernels of rings and trees use: blocks, and so multiprocessors.
[[nodiscard]] int execution_channels(const NcclMachine& machine, const NcclGraph& ring, int version,
                                     const CollectiveSettings& settings);
[[nodiscard]] int nvls_channels(const NcclMachine& machine, const CollectiveSettings& settings);

}  // namespace paceline
