// Tokens on their way to experts and back.
//
//   A = Ts k load     copies of tokens that the experts of a rank work on; load: capacity or imbalance
//   c(n) = n (1 - (1 - 1/n)^k)     ranks, or domains, that a token of k random experts has to reach
//   e ranks share the experts, d of them stand in one NVLink domain, N = e / d domains
//   all-to-all:     start + max(A h element (d - 1)/e / links, A h element (1 - d/e) / NIC)
//   DeepEP, HybridEP: start + max(Ts c(e) (e - 1)/e h element / links, Ts c(N) (N - 1)/N h element / network)
// Sorting by expert around it counts in copies of all tokens of a rank:
//   all-to-all 2 + 2 k, + 4 k with several experts a rank; others factor (c(e) + k)
#pragma once

#include "sim/cost/kernel/direction.h"
#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

struct ExpertLoad {
  double rank_experts = 1;  // El
  double copies = 0;        // A
  double load = 1;          // of A: over Ts k
};
// Throws InputError when the experts do not divide by their ranks.
[[nodiscard]] ExpertLoad expert_load(const LayerContext& context, const ExpertShape& shape);

[[nodiscard]] Dispatcher dispatcher_of(const LayerContext& context);
// One kernel works through all experts of a rank.
[[nodiscard]] bool grouped_experts(const LayerContext& context);

// Expected number of different ones of `ranks` that `chosen` random experts stand on.
[[nodiscard]] double expected_ranks(double ranks, double chosen);

enum class DispatchLeg : std::uint8_t { dispatch, combine };
// With several ranks. In backward the gradients of a leg go the opposite way, always in 16 bit. Throws
// InputError when no rate is known for the links.
[[nodiscard]] Exchange token_exchange(const LayerContext& context, const Block& block, DispatchLeg leg,
                                      Direction direction);

// Before the experts and after them: half of the time each.
[[nodiscard]] Kernel permutation(const LayerContext& context, const Block& block, const std::string& name,
                                 Direction direction);

}  // namespace paceline
