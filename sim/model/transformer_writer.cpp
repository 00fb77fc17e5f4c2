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
  layer(name, Traffic{"head transposes", 6 * stream_, 6 * stream_, 3, 3}).split = Split::heads;
}

void TransformerWriter::merge_heads(const std::string& name) {
  layer(name, Traffic{"head transposes", 2 * stream_, 2 * stream_, 1, 1}).split = Split::heads;
}

void TransformerWriter::eager_attention(const std::string& name, bool causal) {
  const auto heads = static_cast<double>(heads_);
  const double square = heads * tokens_ * tokens_;
  const BatchedGemm scores{heads, sequence_, sequence_, head_size_, causal};
  Layer& first = layer(name + ".scores", scores);
  first.saved_elements = 2 * stream_;
  first.split = Split::heads;

  // Forward: scale, mask, softmax, dropout. Backward needs no kernel for the mask.
  Layer& softmax = layer(name + ".softmax", Traffic{"softmax", 8.25 * square, 7.25 * square, 4, 3});
  softmax.saved_elements = square;
  softmax.saved_bytes = square;  // dropout mask
  softmax.split = Split::heads;

  const BatchedGemm context{heads, sequence_, head_size_, sequence_, causal};
  Layer& second = layer(name + ".context", context);
  second.saved_elements = square + stream_;
  second.split = Split::heads;
}

void TransformerWriter::bias_gelu(const std::string& name, double rows, std::int64_t width) {
  const double elements = rows * static_cast<double>(width);
  Layer& added = layer(name, Traffic{"bias, gelu", 4 * elements, 4 * elements, 2, 2});
  added.saved_elements = elements;
  added.split = Split::outputs;
}

void TransformerWriter::vocabulary_loss(const std::string& name, double rows) {
  constexpr double fp32_bytes = 4;
  const double log_softmax = fp32_bytes * rows * static_cast<double>(vocabulary_);
  Layer& added = layer(name, VocabularyLoss{rows, vocabulary_});
  added.saved_bytes = log_softmax + token_id_bytes * rows;
  added.split = Split::vocabulary;
}

void TransformerWriter::end_eager_block(const TransformerSpec& spec, bool causal) {
  Block block;
  block.hidden = spec.hidden;
  block.feed_forward = spec.feed_forward;
  block.dropout = true;
  AttentionShape shape;
  shape.heads = shape.key_value_heads = heads_;
  shape.head_size = shape.value_size = head_size_;
  shape.queries = shape.keys = sequence_;
  shape.causal = causal;
  shape.dropout = true;
  block.attention.push_back(shape);
  end_block(block);
}

}  // namespace paceline
