// The constants of NCCL's cost model and what changed between its versions: latencies in microseconds,
// bandwidths in GB/s (src/graph/tuning.cc, tags v2.16.5 to v2.30.7).
#pragma once

#include <array>

#include "sim/collective/collective.h"

namespace paceline::nccl {

using ByProtocol = std::array<double, 3>;  // LL, LL128, Simple
using ByNodes = std::array<double, 3>;     // one node, two, more

[[nodiscard]] ByProtocol base_latency(Algorithm algorithm, int version);
enum class Hop { nvlink, pci, network };
[[nodiscard]] ByProtocol hop_latency(Algorithm algorithm, Hop hop, int version);

// Rows by generation: Volta, Ampere, Hopper, Blackwell.
[[nodiscard]] std::size_t generation(int compute_capability);
[[nodiscard]] ByNodes ll_limit(std::size_t generation, int version);
[[nodiscard]] ByNodes ring_ll128_channel(std::size_t generation, int version);
[[nodiscard]] ByNodes tree_ll128_channel(std::size_t generation, int version);
[[nodiscard]] ByNodes tree_channel(std::size_t generation, int version);
[[nodiscard]] ByNodes nvls_tree_channel(std::size_t generation, int version);
[[nodiscard]] double nvls_efficiency(std::size_t generation);

// Factor on a tree's bandwidth for floor(log2(bytes / 64)) = `step`; 1 outside the table.
[[nodiscard]] double tree_correction(Protocol protocol, int step);

}  // namespace paceline::nccl
