// Time of a layer of experts on one rank, as inference libraries run it: routing order, permutation, two
// grouped products with the activation between them, and the weighted sum.
//
//   A   = T topk / ep x load              load 1 when balanced, ep^a of the hottest rank when skewed
//   act = min(El, A), or El (1 - exp(-active A / El)) when skewed; m = A / act rows an expert
//   weights = 2 matrices H Fl act / memory
//   for tiles of 16, 32, 64, 128 rows:  mt = ceil(m / tm), or m / tm + 1/2 when skewed
//     C1 = act mt ceil(first / 128), C2 = act mt ceil(H / 128)
//     c = 256 tm (max(C1/S, 1) (H + k0) + max(C2/S, 1) (Fl + k0)) / (R / S)
//     l = 2 (tm + 128) (C1 H + C2 Fl) / l2
//   t = start + least cbrt(c^3 + l^3 + weights^3) + A (4 H + 6 Fl) permute / memory + k_step (H + Fl) / 64
// With the gate, the first product has 2 Fl columns and there are three matrices; without, Fl and two.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

// How tokens spread over experts; the power laws are those of the published tables.
enum class ExpertBalance : std::uint8_t { balanced, power_law_1_01, power_law_1_2 };

struct ExpertCall {
  double tokens = 0;  // of all ranks that share the experts
  double hidden = 0, ffn = 0;
  double top_k = 1, experts = 1;
  double tensor_parallel = 1, expert_parallel = 1;
  bool gated = true;
  ExpertBalance balance = ExpertBalance::balanced;
};

[[nodiscard]] Seconds expert_time(const ExpertRates& rates, int multiprocessors, const ExpertCall& shape);

}  // namespace paceline
