// What a rank does for a mixture of experts: router, permutation, exchange of tokens, the experts' products
// with their activation and casts, the way back, and the shared expert that all tokens go through.
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

// Of a block with experts, without its norms and residuals. `recompute` holds what
// parallel.recompute_modules asks for: "moe_act", "layernorm". Throws InputError when nothing is known of the
// framework's mixtures, the experts do not divide by their ranks, or the dispatcher's rate is not known on
// the links.
[[nodiscard]] LayerPart expert_part(const LayerContext& context, const Block& block);

}  // namespace paceline
