#include "sim/model/activation_memory.h"

#include <algorithm>

namespace paceline {
namespace {

constexpr Bytes log_sum_exp(4);  // fp32 whatever the precision

Bytes saved_of(const Layer& layer, Bytes element) {
  return layer.saved_elements * element + Bytes(layer.saved_bytes);
}

// What the kernel keeps of the scores. The probabilities are kept once more after their dropout, with a mask
// of one byte.
Bytes core_of(const AttentionShape& shape, Bytes element, KeptAttention attention) {
  const auto rows = static_cast<double>(shape.heads * shape.queries);
  if (attention == KeptAttention::recomputed) return Bytes(0);
  if (attention == KeptAttention::fused) return rows * log_sum_exp;
  const double pairs = rows * static_cast<double>(shape.keys);
  return shape.dropout ? pairs * (2 * element + Bytes(1)) : pairs * element;
}

Bytes change_of(const Block& block, Bytes element, KeptAttention attention) {
  Bytes change;
  for (const AttentionShape& shape : block.attention) {
    const KeptAttention built = shape.fused ? KeptAttention::fused : KeptAttention::eager;
    change += core_of(shape, element, attention) - core_of(shape, element, built);
  }
  return change;
}

}  // namespace

Bytes saved_per_sample(const Model& model, Bytes element) {
  Bytes sum;
  for (const Layer& layer : model.layers) sum += saved_of(layer, element);
  return sum;
}

Bytes saved_per_sample(const Model& model, Bytes element, KeptAttention attention) {
  Bytes sum = saved_per_sample(model, element);
  for (const Block& block : model.blocks) sum += change_of(block, element, attention);
  return sum;
}

Bytes saved_with_blocks_recomputed(const Model& model, Bytes element, KeptAttention attention) {
  Bytes sum = saved_per_sample(model, element), largest;
  for (const Block& block : model.blocks) {
    Bytes whole;
    for (std::size_t index = block.first_layer; index < block.end_layer; ++index)
      whole += saved_of(model.layers[index], element);
    const auto input = static_cast<double>(block.hidden * block.attention.front().queries);
    sum += input * element - whole;
    largest = std::max(largest, whole + change_of(block, element, attention));
  }
  return sum + largest;
}

}  // namespace paceline
