// The units at the ends of a model: embedding, and head with loss.
#pragma once

#include "sim/cost/transformer/dense_layer.h"

namespace paceline {

// `context` without products in 8 bit: frameworks keep the head in 16.
[[nodiscard]] Unit embedding_unit(const TransformerRequest& request, const LayerContext& context);
// Final norm, logits, loss, and whatever else stands outside of the blocks behind the first one: the heads of
// further predicted tokens.
[[nodiscard]] Unit head_unit(const TransformerRequest& request, const LayerContext& context);

// Writes a part into a unit, with the share of weight gradients.
void set_passes(Unit& unit, const LayerPart& part);

}  // namespace paceline
