// How long a collective takes with a given algorithm and protocol: small laws of (constants, group, bytes).
// Derivations and constants: a fit of 199 published tables of nccl-tests, error stated in
// scenarios/collectives/nccl.json.
#pragma once

#include <optional>

#include "sim/collective/terms.h"

namespace paceline {

// What limits the bytes of a law.
enum class Binding : std::uint8_t { latency, link, channels, network, host };
[[nodiscard]] std::string_view to_string(Binding binding);

struct LawTime {
  double latency = 0;   // seconds that move nothing
  double transfer = 0;  // seconds in which `volume` moves
  double volume = 0;    // bytes that a rank puts on its link
  double network = 0;   // bytes that a node puts on its NICs
  Binding binding = Binding::link;
  [[nodiscard]] double total() const { return latency + transfer; }
};

// Nothing when the link has no constants for it (LL128 where stores of 128 bytes may be torn, reduction in a
// switch that has none), or when the collective does not know the algorithm.
[[nodiscard]] std::optional<LawTime> law(Algorithm algorithm, Protocol protocol, const GroupTerms& terms,
                                         const CollectiveConstants& library);

// No collective of this algorithm can be faster: bytes that must leave a device or a node, at the data
// sheet's rates.
[[nodiscard]] double least_time(Algorithm algorithm, const GroupTerms& terms);

}  // namespace paceline
