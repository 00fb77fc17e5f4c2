// What of a model's parameters and activations one rank of a tensor group holds.
#pragma once

#include "sim/cost/transformer/dense_layer.h"
#include "sim/model/model.h"

namespace paceline {

struct RankParameters {
  double dense = 0, expert = 0;  // of a rank
  void add(const RankParameters& other);
};

// Of the layers [first, end). A weight counts where its gradient is made; products split by inputs keep their
// whole bias on every rank.
[[nodiscard]] RankParameters rank_parameters(const Model& model, std::size_t first, std::size_t end,
                                             const Degrees& degrees);

// Bytes that the layers [first, end) keep of a micro-batch for backward. `block` is theirs, where they are
// one: a fused core keeps no scores.
[[nodiscard]] Bytes kept_bytes(const TransformerRequest& request, const LayerContext& context,
                               const DenseLayer& layer, std::size_t first, std::size_t end,
                               const Block* block);

// The vocabulary as the framework pads it.
[[nodiscard]] double padded_vocabulary(const TransformerRules& rules, double vocabulary, int tensor);

}  // namespace paceline
