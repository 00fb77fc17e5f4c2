// Writes transformer blocks by their spec. Elements moved are those of eager kernels that compute each group
// in one pass; kept is what fused norms and activations need, the same list for Transformer Engine and
// Megatron. Attention is one fused kernel unless the spec says otherwise: then no scores are in memory and
// the log-sum-exp is kept instead.
#pragma once

#include <string>

#include "sim/model/model_writer.h"
#include "sim/model/transformer_spec.h"

namespace paceline {

class TransformerBlocks {
 public:
  // `writer` must outlive the object. `tokens` are those of one sample.
  TransformerBlocks(ModelWriter& writer, std::int64_t tokens) : writer_(writer), tokens_(tokens) {}

  // Registers the block's parameters, then writes its layers. `others`: positions of an encoder that a second
  // attention reads; 0: none.
  void register_block(const std::string& name, const BlockSpec& spec, bool crosses = false);
  void write_block(const std::string& name, const BlockSpec& spec, std::int64_t others = 0);

  void register_norm(const std::string& name, const BlockSpec& spec, std::int64_t width);
  void write_norm(const std::string& name, const BlockSpec& spec, std::int64_t width);

 private:
  [[nodiscard]] double tokens() const { return static_cast<double>(tokens_); }
  [[nodiscard]] double stream(std::int64_t width) const { return tokens() * static_cast<double>(width); }

  void register_attention(const std::string& name, const BlockSpec& spec, bool crosses);
  void register_latent(const std::string& name, const BlockSpec& spec);
  void register_feed_forward(const std::string& name, std::int64_t hidden, const FeedForwardSpec& spec);
  void register_experts(const std::string& name, std::int64_t hidden, const ExpertSpec& spec);

  // keys: positions that are attended to; of an encoder if `crosses`.
  void attention(const std::string& name, const BlockSpec& spec, std::int64_t keys, bool crosses);
  void projections(const std::string& name, const BlockSpec& spec, std::int64_t keys, bool crosses);
  void latent_projections(const std::string& name, const BlockSpec& spec);
  void rotate_and_copy(const std::string& name, const AttentionSpec& spec, std::int64_t keys);
  void fused_core(const std::string& name, const AttentionSpec& spec, std::int64_t keys);
  void eager_core(const std::string& name, const AttentionSpec& spec, std::int64_t keys);

  void feed_forward(const std::string& name, std::int64_t hidden, const FeedForwardSpec& spec,
                    bool keeps_input = true);
  void experts(const std::string& name, std::int64_t hidden, const ExpertSpec& spec);
  void second_part(const std::string& name, const BlockSpec& spec);
  void part_end(const std::string& part, const std::string& norm, const BlockSpec& spec);

  Layer& linear(const std::string& name, double rows, std::int64_t inputs, std::int64_t outputs, Split split);
  void small_norm(const std::string& name, double elements, double rows);
  void head_norm(const std::string& name, const AttentionSpec& spec);

  ModelWriter& writer_;
  std::int64_t tokens_;
};

}  // namespace paceline
