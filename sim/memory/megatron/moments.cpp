#include "sim/memory/megatron/moments.h"

#include <vector>

#include "sim/memory/megatron/activations.h"

namespace paceline::megatron {
namespace {

struct Sizes {
  double tokens, tensor, shares, hidden, vocabulary;

  explicit Sizes(const TrainingRun& run)
      : tokens(static_cast<double>(run.tokens())),
        tensor(static_cast<double>(run.mesh.tensor)),
        shares(static_cast<double>(run.token_shares())),
        hidden(static_cast<double>(run.model.block.hidden)),
        vocabulary(static_cast<double>(run.padded_vocabulary()) / tensor) {}

  [[nodiscard]] Bytes full() const { return Bytes(2 * hidden * tokens); }
  [[nodiscard]] Bytes divided() const { return Bytes(2 * hidden * tokens / shares); }
};

// Input and output of the final norm, its statistics.
Bytes kept_by_final_norm(const TrainingRun& run, const Sizes& sizes) {
  if (!run.model.final_norm) return sizes.divided();
  return sizes.divided() * 2 +
         Bytes((run.model.block.norm == NormKind::rms ? 4 : 8) * sizes.tokens / sizes.shares);
}

double bytes_of_loss_forward(const TrainingRun& run) {
  if (run.loss == Loss::fused) return 2;
  return run.loss == Loss::compiled ? 10 : 6;
}

void add_head(const TrainingRun& run, const Sizes& sizes, std::vector<Moment>& moments) {
  const double entries = sizes.vocabulary * sizes.tokens;
  const Bytes logits(2 * entries);
  const Bytes loss(4 * sizes.tokens);  // fp32, one a token
  Bytes kept = kept_by_final_norm(run, sizes) + loss;
  // BERT's transform: inputs of its activation and norm, and what the output layer reads.
  if (run.masked_language_heads) kept += sizes.full() * 3;
  // The fused loss gathers each rank's maximum, sum and target of every token.
  const Bytes gathered(run.loss == Loss::fused ? (12 + 12 * sizes.tensor) * sizes.tokens : 0);
  moments.push_back({"loss forward", kept + gathered + Bytes(bytes_of_loss_forward(run) * entries), logits});
  const double held = run.loss == Loss::fused ? 2 : 6;
  Bytes backward = kept + Bytes(held * entries) + sizes.full();
  if (sizes.shares > 1) backward += sizes.divided();
  moments.push_back({"output layer backward", backward, logits});
}

void add_dense(const TrainingRun& run, const Sizes& sizes, std::vector<Moment>& moments) {
  const BlockSpec& block = run.model.block;
  const std::int64_t width = block.experts ? run.model.dense_width : block.feed_forward.width;
  const double activation = static_cast<double>(width) / sizes.tensor * sizes.tokens;
  const double branches = block.feed_forward.gated ? 2 : 1;
  // Gradient of the activation's output and input, less the second product's input, released just before.
  moments.push_back({"activation backward", sizes.full() + Bytes(2 * branches * activation), Bytes()});
}

void add_experts(const TrainingRun& run, const Sizes& sizes, bool next_stage, std::vector<Moment>& moments) {
  const Bytes pairs(2 * sizes.hidden * pairs_received(run));
  // The batch is there in forward: token ids, labels and positions of 8 bytes, loss mask of 4.
  Bytes sum = pairs * 4 + sizes.divided() * 2 + Bytes(28 * sizes.tokens);
  if (next_stage) sum += sizes.divided();  // output gradient of the micro-batch before
  moments.push_back({"return of routed tokens", sum, Bytes()});
}

}  // namespace

Moment fullest_moment(const TrainingRun& run, const StageShape& shape) {
  const Sizes sizes(run);
  const bool last = shape.stage == run.mesh.pipeline - 1;
  std::vector<Moment> moments{{"forward", Bytes(), Bytes()}};
  if (last) add_head(run, sizes, moments);
  if (shape.has_layers && shape.ends_with_experts) add_experts(run, sizes, !last, moments);
  if (shape.has_layers && !shape.ends_with_experts && !last) add_dense(run, sizes, moments);
  const bool recomputes = run.recompute == Recompute::full_uniform || run.recompute == Recompute::full_block;
  if (shape.has_layers && recomputes) {
    const double unit =
        run.recompute == Recompute::full_uniform ? static_cast<double>(run.recompute_layers) : 1;
    moments.push_back(
        {"recomputed layers", kept_by_layer(run, shape.ends_with_experts) * unit + sizes.full(), Bytes()});
  }
  Moment fullest = moments.front();
  for (const Moment& moment : moments)
    if (moment.temporaries > fullest.temporaries) fullest = moment;
  return fullest;
}

}  // namespace paceline::megatron
