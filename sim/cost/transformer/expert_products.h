// The products of a rank's experts with the activation between them, in 16 or 8 bit, one by one or in one
// kernel.
//
//   A rows in all, A / El an expert; forward (m, 2 F, h), (m, h, F); input gradients (m, h, 2 F), (m, F, h);
//   weight gradients (2 F, h, m), (h, F, m)
//   casts: input bytes x A (h + F) forward, gradient bytes x A (h + 2 F) backward
//   activation: passes over A F; with biases and a clamp further ones over A h and A F
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

// `recompute` holds the activation where parallel.recompute_modules asks for "moe_act".
[[nodiscard]] LayerPart expert_products(const LayerContext& context, const Block& block);

}  // namespace paceline
