#include "sim/model/transformer_writer.h"

namespace paceline {

TransformerWriter::TransformerWriter(const TransformerSpec& spec)
    : sequence_(spec.sequence),
      heads_(spec.heads),
      head_size_(spec.hidden / spec.heads),
      vocabulary_(spec.vocabulary),
      tokens_(static_cast<double>(spec.sequence)),
      stream_(static_cast<double>(spec.sequence * spec.hidden)) {}

void TransformerWriter::split_heads(const std::string& name) {
  layer(name, Traffic{"head transposes", 6 * stream_, 6 * stream_, 3, 3});
}

void TransformerWriter::merge_heads(const std::string& name) {
  layer(name, Traffic{"head transposes", 2 * stream_, 2 * stream_, 1, 1});
}

void TransformerWriter::eager_attention(const std::string& name, bool causal) {
  const auto heads = static_cast<double>(heads_);
  const double square = heads * tokens_ * tokens_;
  const BatchedGemm scores{heads, sequence_, sequence_, head_size_, causal};
  layer(name + ".scores", scores).saved_elements = 2 * stream_;

  // Forward: scale, mask, softmax, dropout. Backward needs no kernel for the mask.
  Layer& softmax = layer(name + ".softmax", Traffic{"softmax", 8.25 * square, 7.25 * square, 4, 3});
  softmax.saved_elements = square;
  softmax.saved_bytes = square;  // dropout mask

  const BatchedGemm context{heads, sequence_, head_size_, sequence_, causal};
  layer(name + ".context", context).saved_elements = square + stream_;
}

void TransformerWriter::bias_gelu(const std::string& name, double rows, std::int64_t width) {
  const double elements = rows * static_cast<double>(width);
  layer(name, Traffic{"bias, gelu", 4 * elements, 4 * elements, 2, 2}).saved_elements = elements;
}

void TransformerWriter::vocabulary_loss(const std::string& name, double rows) {
  constexpr double fp32_bytes = 4;
  const double log_softmax = fp32_bytes * rows * static_cast<double>(vocabulary_);
  layer(name, VocabularyLoss{rows, vocabulary_}).saved_bytes = log_softmax + token_id_bytes * rows;
}

}  // namespace paceline
