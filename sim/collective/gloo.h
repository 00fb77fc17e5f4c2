// Collectives of libraries that run on the hosts (Gloo, MPI without device support): rings and
// halving-doubling over the network or shared memory. Tensors of a device are staged through host memory.
#pragma once

#include <optional>

#include "sim/collective/laws.h"

namespace paceline {

// Nothing for what such libraries do not have: trees, in-switch reduction.
//
//   ring                ns steps, V bytes
//   halving-doubling    2 ceil(log2 n) steps of an all-reduce (half of that for its halves), the same bytes;
//                       not for other collectives
//   staging             S down from and S up to the device over its slot, one after the other
[[nodiscard]] std::optional<LawTime> host_law(Algorithm algorithm, const GroupTerms& terms);

}  // namespace paceline
