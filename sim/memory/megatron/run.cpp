#include "sim/memory/megatron/run.h"

#include <string>

#include "base/error.h"

namespace paceline::megatron {
namespace {

void divides(const char* field, std::int64_t divisor, std::int64_t whole, const char* what) {
  if (divisor >= 1 && whole % divisor == 0) return;
  throw InputError(field, std::to_string(divisor),
                   "a divisor of " + std::to_string(whole) + ", the " + std::string(what),
                   "choose another degree");
}

void between(const char* field, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return;
  throw InputError(field, std::to_string(value), "1 to " + std::to_string(most), "correct the number");
}

void check_attention(const AttentionSpec& attention) {
  between("heads", attention.heads, 100000);
  between("key-value heads", attention.key_value_heads, attention.heads);
  between("head size", attention.head_size, 100000);
  if (!attention.latent) return;
  const LatentSpec& latent = *attention.latent;
  for (const std::int64_t size : {latent.query_rank + 1, latent.key_value_rank, latent.plain_size,
                                  latent.rotary_size, latent.value_size})
    between("latent attention's size", size, 1000000);
}

// Bounds far above any run, so that no product below overflows.
void check_sizes(const TrainingRun& run) {
  const DecoderSpec& model = run.model;
  between("layers", model.layers, 100000);
  between("hidden", model.block.hidden, 1000000);
  between("vocabulary", model.vocabulary, 100000000);
  between("sequence", model.sequence, 1000000000);
  between("feed-forward width", model.block.feed_forward.width, 10000000);
  if (model.block.experts) {
    between("experts", model.block.experts->experts, 100000);
    between("chosen experts", model.block.experts->chosen, model.block.experts->experts);
    between("expert width", model.block.experts->width, 10000000);
    between("shared expert width", model.block.experts->shared_width + 1, 10000000);
    between("dense width", model.dense_width, 10000000);
  }
  check_attention(model.block.attention);
  const Mesh& mesh = run.mesh;
  for (const std::int64_t degree : {mesh.tensor, mesh.pipeline, mesh.virtual_stages, mesh.context, mesh.data,
                                    mesh.expert, mesh.expert_tensor, run.optimizer_instances})
    between("degree of parallelism", degree, 30000);
  between("micro-batch", run.micro_batch, 1000000);
  between("micro-batches", run.micro_batches, 1000000);
  if (run.capacity_factor && !(*run.capacity_factor > 0 && *run.capacity_factor < 1000))
    throw InputError("capacity factor", std::to_string(*run.capacity_factor), "above 0 and below 1000",
                     "correct the number");
  between("recompute layers", run.recompute_layers, 100000);
}

// What is left for the stages in between must divide among them.
void check_stages(const TrainingRun& run) {
  const std::int64_t chunks = run.mesh.virtual_stages;
  std::int64_t layers = run.model.layers + (run.embedding_in_split ? 1 : 0) + (run.loss_in_split ? 1 : 0);
  std::int64_t stages = run.mesh.pipeline;
  for (const auto& fixed : {run.first_stage_layers, run.last_stage_layers}) {
    if (!fixed) continue;
    divides("virtual stages", chunks, *fixed, "layers of the first or last stage");
    layers -= *fixed;
    --stages;
  }
  if (stages == 0 && layers == 0) return;
  if (stages < 1 || layers < 0)
    throw InputError("layers of the first and last stage", std::to_string(run.model.layers - layers),
                     "no more than there are", "lower them or use more stages");
  divides("pipeline", stages * chunks, layers, "layers");
}

}  // namespace

std::int64_t TrainingRun::padded_vocabulary() const {
  const std::int64_t unit = 128 * mesh.tensor;
  return (model.vocabulary + unit - 1) / unit * unit;
}

void check(const TrainingRun& run) {
  check_sizes(run);
  const Mesh& mesh = run.mesh;
  divides("tensor", mesh.tensor, run.model.block.attention.heads, "attention heads");
  divides("tensor", mesh.tensor, run.model.block.feed_forward.width, "feed-forward width");
  divides("context", mesh.context, run.model.sequence, "tokens of a sample");
  check_stages(run);
  if (!run.model.block.experts) return;
  divides("expert", mesh.expert, run.model.block.experts->experts, "experts");
  divides("expert", mesh.expert * mesh.expert_tensor * mesh.pipeline, mesh.world(), "devices");
}

}  // namespace paceline::megatron
