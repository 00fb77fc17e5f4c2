#include "sim/cost/transformer/rank_share.h"

#include <cmath>

namespace paceline {
namespace {

constexpr double log_sum_exp = 4;  // bytes of a head and query, fp32 whatever the precision

bool split_over_tensor(Split split) { return split != Split::none && split != Split::experts; }

// Scores of an eager core: probabilities, and once more after dropout with a mask of one byte.
double core_bytes(const AttentionShape& shape, bool fused, double element) {
  const double rows = static_cast<double>(shape.heads * shape.queries);
  if (fused) return rows * log_sum_exp;
  return rows * static_cast<double>(shape.keys) * (shape.dropout ? 2 * element + 1 : element);
}

}  // namespace

void RankParameters::add(const RankParameters& other) {
  dense += other.dense;
  expert += other.expert;
}

RankParameters rank_parameters(const Model& model, std::size_t first, std::size_t end,
                               const Degrees& degrees) {
  RankParameters sum;
  for (std::size_t index = first; index < end; ++index) {
    const Layer& layer = model.layers[index];
    for (const std::size_t parameter : layer.parameters) {
      const Parameter& tensor = model.parameters[parameter];
      const auto elements = static_cast<double>(tensor.elements);
      if (layer.split == Split::experts) {
        sum.expert += elements / degrees.expert;
        continue;
      }
      const bool whole_bias = layer.split == Split::inputs && tensor.name.ends_with(".bias");
      sum.dense += split_over_tensor(layer.split) && !whole_bias ? elements / degrees.tensor : elements;
    }
  }
  return sum;
}

Bytes kept_bytes(const TransformerRequest& request, const LayerContext& context, const DenseLayer& layer,
                 std::size_t first, std::size_t end, const Block* block) {
  const Degrees& degrees = context.parallel.degrees;
  const double samples = context.samples / degrees.context;
  double sum = 0;
  for (std::size_t index = first; index < end; ++index) {
    const Layer& each = request.model.layers[index];
    const bool split = split_over_tensor(each.split) || layer.sequence_parallel();
    sum +=
        (each.saved_elements * context.element + each.saved_bytes) * samples / (split ? degrees.tensor : 1);
  }
  // Selective recomputation rebuilds the core of attention, so that its scores are not kept either.
  const bool fused =
      context.attention.forward > FlopsPerSecond(0) || context.parallel.recompute == Recompute::selective;
  if (block)
    for (const AttentionShape& shape : block->attention)
      sum += (core_bytes(shape, fused, context.element) - core_bytes(shape, shape.fused, context.element)) *
             samples / degrees.tensor;
  return Bytes(sum);
}

double padded_vocabulary(const TransformerRules& rules, double vocabulary, int tensor) {
  const double multiple = static_cast<double>(rules.element_wise.vocabulary_multiple) * tensor;
  return std::ceil(vocabulary / multiple) * multiple;
}

}  // namespace paceline
