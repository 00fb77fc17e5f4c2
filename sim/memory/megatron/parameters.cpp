#include "sim/memory/megatron/parameters.h"

#include <algorithm>

#include "sim/memory/megatron/pipeline.h"

namespace paceline::megatron {
namespace {

std::int64_t norm_of(const BlockSpec& block, std::int64_t width) {
  return block.norm_bias ? 2 * width : width;
}

class Counter {
 public:
  explicit Counter(const TrainingRun& run) : run_(run), block_(run.model.block), tensor_(run.mesh.tensor) {}

  void attention(std::int64_t layers) {
    const AttentionSpec& attention = block_.attention;
    const std::int64_t hidden = block_.hidden, heads = attention.heads;
    parameters_.dense += layers * norm_of(block_, hidden);
    if (attention.latent) return latent(*attention.latent, layers);
    const std::int64_t groups = std::max(attention.key_value_heads, tensor_);
    const std::int64_t joined = (heads + 2 * groups) * attention.head_size / tensor_;
    weight({joined, hidden}, layers, attention.bias ? joined : 0);
    weight({hidden, heads * attention.head_size / tensor_}, layers, attention.output_bias ? hidden : 0);
    if (attention.head_norm) parameters_.dense += layers * 2 * norm_of(block_, attention.head_size);
  }

  void feed_forward(std::int64_t layers, std::int64_t width) {
    const bool gated = block_.feed_forward.gated, bias = block_.feed_forward.bias;
    const std::int64_t inner = (gated ? 2 : 1) * width / tensor_;
    parameters_.dense += layers * norm_of(block_, block_.hidden);
    weight({inner, block_.hidden}, layers, bias ? inner : 0);
    weight({block_.hidden, width / tensor_}, layers, bias ? block_.hidden : 0);
  }

  void experts(std::int64_t layers) {
    const ExpertSpec& experts = *block_.experts;
    const std::int64_t hidden = block_.hidden, own = layers * experts.experts / run_.mesh.expert;
    const std::int64_t width = experts.width / run_.mesh.expert_tensor;
    parameters_.dense += layers * (norm_of(block_, hidden) + experts.experts * hidden);
    const std::int64_t branches = block_.feed_forward.gated ? 2 : 1;
    parameters_.expert += own * (branches + 1) * width * hidden;
    if (experts.bias) parameters_.expert += own * (branches * width + hidden);
    shape({branches * width, hidden});
    shape({hidden, width});
    if (experts.shared_width == 0) return;
    weight({branches * experts.shared_width / tensor_, hidden}, layers, 0);
    weight({hidden, experts.shared_width / tensor_}, layers, 0);
  }

  void embedding() {
    const std::int64_t hidden = block_.hidden;
    parameters_.dense += run_.padded_vocabulary() * hidden / tensor_ + run_.model.learned_positions * hidden;
    if (run_.masked_language_heads) parameters_.dense += 2 * hidden;  // two kinds of segments
  }

  void head(bool own_copy) {
    const std::int64_t hidden = block_.hidden, rows = run_.padded_vocabulary() / tensor_;
    if (run_.model.final_norm) parameters_.dense += norm_of(block_, hidden);
    if (own_copy) parameters_.dense += rows * hidden;
    shape({rows, hidden});
    if (!run_.masked_language_heads) return;
    // Transform with bias and norm, vocabulary bias; pooler and a binary head.
    parameters_.dense += hidden * hidden + hidden + norm_of(block_, hidden) + rows;
    parameters_.dense += hidden * hidden + hidden + 2 * hidden + 2;
  }

  [[nodiscard]] const Parameters& result() const { return parameters_; }

 private:
  // The compressing products are not divided by tensor parallelism (multi_latent_attention.py).
  void latent(const LatentSpec& latent, std::int64_t layers) {
    const std::int64_t hidden = block_.hidden, heads = block_.attention.heads / tensor_;
    const std::int64_t score = latent.plain_size + latent.rotary_size;
    const bool normed = block_.attention.head_norm;
    if (latent.query_rank > 0) {
      weight({latent.query_rank, hidden}, layers, normed ? norm_of(block_, latent.query_rank) : 0);
      weight({heads * score, latent.query_rank}, layers, 0);
    } else {
      weight({heads * score, hidden}, layers, 0);
    }
    weight({latent.key_value_rank + latent.rotary_size, hidden}, layers,
           normed ? norm_of(block_, latent.key_value_rank) : 0);
    weight({heads * (latent.plain_size + latent.value_size), latent.key_value_rank}, layers, 0);
    weight({hidden, heads * latent.value_size}, layers, block_.attention.output_bias ? hidden : 0);
  }

  void weight(WeightShape matrix, std::int64_t layers, std::int64_t vector) {
    parameters_.dense += layers * (matrix.elements() + vector);
    shape(matrix);
  }

  void shape(WeightShape matrix) {
    auto& known = parameters_.shapes;
    if (std::find(known.begin(), known.end(), matrix) == known.end()) known.push_back(matrix);
  }

  const TrainingRun& run_;
  const BlockSpec& block_;
  std::int64_t tensor_;
  Parameters parameters_;
};

}  // namespace

Parameters parameters_of_stage(const TrainingRun& run, std::int64_t stage) {
  Counter counter(run);
  for (const Chunk& chunk : chunks_of_stage(run, stage)) {
    if (chunk.layers() > 0) counter.attention(chunk.layers());
    const std::int64_t width =
        run.model.block.experts ? run.model.dense_width : run.model.block.feed_forward.width;
    if (chunk.dense > 0) counter.feed_forward(chunk.dense, width);
    if (chunk.experts > 0) counter.experts(chunk.experts);
  }
  if (stage == 0) counter.embedding();
  if (stage == run.mesh.pipeline - 1) counter.head(!run.model.tied || run.mesh.pipeline > 1);
  return counter.result();
}

}  // namespace paceline::megatron
