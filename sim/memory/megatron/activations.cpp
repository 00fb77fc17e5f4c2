#include "sim/memory/megatron/activations.h"

#include <cmath>

namespace paceline::megatron {
namespace {

// Bytes per token of the micro-batch; each is explained in the header.
struct PerToken {
  const TrainingRun& run;
  const BlockSpec& block;
  double hidden, tensor, shares;

  explicit PerToken(const TrainingRun& of)
      : run(of),
        block(of.model.block),
        hidden(static_cast<double>(of.model.block.hidden)),
        tensor(static_cast<double>(of.mesh.tensor)),
        shares(static_cast<double>(of.token_shares())) {}

  // Input and output in 16 bit, 1/deviation (and mean of a layer norm) in fp32.
  [[nodiscard]] double norm() const { return (4 * hidden + (block.norm == NormKind::rms ? 4 : 8)) / shares; }
  [[nodiscard]] double dropout_mask() const { return block.dropout ? hidden / shares : 0; }

  // Eager attention keeps softmax and, with dropout, a mask and its output; fused one the log-sum-exp.
  [[nodiscard]] double scores() const {
    const AttentionSpec& attention = block.attention;
    const double heads = static_cast<double>(attention.heads) / tensor;
    if (attention.fused) return 4 * heads;
    if (run.recompute == Recompute::selective) return 0;
    return heads * static_cast<double>(run.model.sequence) * (attention.dropout ? 5 : 2);
  }

  // Before heads are exchanged back; or by sample and by position, which are one for a single sample.
  [[nodiscard]] bool keeps_output_twice() const {
    if (run.mesh.context > 1) return run.context_all_to_all;
    return block.attention.fused && run.batch_first_attention && run.micro_batch > 1;
  }

  [[nodiscard]] double attention() const {
    const AttentionSpec& attention = block.attention;
    const double heads = static_cast<double>(attention.heads) / tensor;
    const double output = 2 * heads * static_cast<double>(attention.value_size());
    double kept = norm() + dropout_mask() + scores() + output;
    if (keeps_output_twice()) kept += output;
    if (attention.latent) return kept + latent(*attention.latent, heads);
    const double groups = static_cast<double>(attention.key_value_heads) / tensor;
    // Norms of queries and keys keep their inputs beside the outputs.
    const double normed = attention.head_norm ? heads + groups : 0;
    return kept + 2 * (heads + 2 * groups + normed) * static_cast<double>(attention.head_size);
  }

  // Compressed queries and keys before and after their norms; expanded queries, keys and values.
  [[nodiscard]] double latent(const LatentSpec& latent, double heads) const {
    const double score = static_cast<double>(latent.plain_size + latent.rotary_size);
    const double key_rank = static_cast<double>(latent.key_value_rank);
    return 4 + 4 * static_cast<double>(latent.query_rank) +
           2 * (key_rank + static_cast<double>(latent.rotary_size)) + 2 * key_rank +
           heads * (4 * score + 2 * static_cast<double>(latent.value_size));
  }

  // Inputs of the activation and of the second product.
  [[nodiscard]] double inner(double width) const { return (block.feed_forward.gated ? 6 : 4) * width; }

  [[nodiscard]] double dense() const {
    const std::int64_t width = block.experts ? run.model.dense_width : block.feed_forward.width;
    return norm() + dropout_mask() + inner(static_cast<double>(width)) / tensor;
  }

  // Router: 16-bit logits and probabilities, fp32 softmax, map of choices; row map of the permutation.
  [[nodiscard]] double experts() const {
    const double count = static_cast<double>(block.experts->experts);
    const double shared = inner(static_cast<double>(block.experts->shared_width)) / tensor;
    return 4 * hidden / shares + dropout_mask() + shared + (9 * count + 4 * (2 * count + 1)) / shares;
  }
};

}  // namespace

double pairs_received(const TrainingRun& run) {
  const ExpertSpec& experts = *run.model.block.experts;
  const double tokens = static_cast<double>(run.tokens() / run.token_shares());
  const double count = static_cast<double>(experts.experts), chosen = static_cast<double>(experts.chosen);
  const double gathered = static_cast<double>(run.mesh.expert_tensor);
  if (!run.capacity_factor) return tokens * chosen * gathered;
  return count * std::ceil(tokens * chosen / count * *run.capacity_factor) * gathered;
}

Bytes kept_by_layer(const TrainingRun& run, bool with_experts) {
  const PerToken each(run);
  const double tokens = static_cast<double>(run.tokens());
  if (!with_experts) return Bytes(tokens * (each.attention() + each.dense()));
  const double width = static_cast<double>(run.model.block.experts->width / run.mesh.expert_tensor);
  const double pair = 2 * each.hidden + each.inner(width);
  return Bytes(tokens * (each.attention() + each.experts()) + pairs_received(run) * pair);
}

Bytes input_of_layer(const TrainingRun& run) {
  return Bytes(2 * static_cast<double>(run.model.block.hidden * (run.tokens() / run.token_shares())));
}

}  // namespace paceline::megatron
