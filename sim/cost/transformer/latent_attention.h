// Multi-head latent attention (DeepSeek-AI 2024): queries, keys and values pass through narrow projections,
// of which all tensor ranks hold a copy, and are assembled from plain and rotary parts.
//
//   products: h -> query rank -> heads x score size; h -> key-value rank + rotary; -> heads x (plain +
//   value); heads x value -> h core: training_attention_time at the latent rates; assembly: passes over T x
//   heads x score size
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

// Projections, assembly and core, without norms and residuals. `recompute` holds what
// parallel.recompute_modules asks for: "mla_up_proj". Throws InputError when nothing is known of the
// framework's latent attention, or with several context ranks.
[[nodiscard]] LayerPart latent_attention_part(const LayerContext& context, std::int64_t hidden,
                                              const AttentionShape& shape);

}  // namespace paceline
