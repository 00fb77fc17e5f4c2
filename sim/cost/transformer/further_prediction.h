// Multi-token prediction (DeepSeek-AI 2024): what stands before the block of a further prediction. The stream
// and the embedding of the next token are each normed, joined, and projected from 2 h to h; after the block
// come one more norm and the model's head once more, which count with the head.
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

// Embedding, norms and projection of a block that predicts further, without the block itself and the head.
[[nodiscard]] LayerPart further_prediction_part(const LayerContext& context, const Block& block);

}  // namespace paceline
