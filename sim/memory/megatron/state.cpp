#include "sim/memory/megatron/state.h"

#include <algorithm>
#include <numeric>

#include "sim/memory/megatron/pipeline.h"

namespace paceline::megatron {
namespace {

State state_of_buffer(const TrainingRun& run, std::int64_t parameters, std::int64_t shards) {
  if (parameters == 0) return {};
  shards = run.distributed_optimizer ? std::max<std::int64_t>(1, shards / run.optimizer_instances) : 1;
  const std::int64_t unit = run.distributed_optimizer ? std::lcm(shards, std::int64_t{128}) : 1;
  const double buffer = static_cast<double>((parameters + unit - 1) / unit * unit);
  const double own = static_cast<double>(parameters) / static_cast<double>(shards);
  const OptimizerBytes& each = run.optimizer;
  const double gradient = each.main_gradient + (run.precision == Precision::fp16 ? 2 : 0);
  return {Bytes(2 * buffer), Bytes(gradient * buffer), Bytes(each.main_weight * own),
          Bytes(each.moments * own)};
}

bool has_experts(const TrainingRun& run, std::int64_t stage) {
  const auto chunks = chunks_of_stage(run, stage);
  return std::any_of(chunks.begin(), chunks.end(), [](const Chunk& chunk) { return chunk.experts > 0; });
}

Bytes dummies(const TrainingRun& run, const Parameters& parameters) {
  if (!run.gradient_accumulation_fusion) return {};
  double elements = 0;
  for (const WeightShape& shape : parameters.shapes) elements += static_cast<double>(shape.elements());
  return Bytes(2 * elements);
}

// One workspace for each thread that runs a product of PyTorch: forward's and autograd's. With the Engine
// only the output layer and the routers are such products.
Bytes workspaces(const TrainingRun& run, bool last, bool experts) {
  Bytes sum;
  const Libraries& libraries = run.libraries;
  if (libraries.transformer_engine) sum += libraries.engine_workspace;
  if (libraries.transformer_engine && experts && run.grouped_products) sum += libraries.grouped_workspace;
  if (!libraries.transformer_engine || last || experts) sum += libraries.matrix_workspace * 2;
  return sum;
}

Bytes gather_buffer(const TrainingRun& run, bool last) {
  const BlockSpec& block = run.model.block;
  const double tokens = static_cast<double>(run.tokens()), tensor = static_cast<double>(run.mesh.tensor);
  Bytes sum;
  if (last && run.sequence_parallel && run.mesh.tensor > 1)
    sum += Bytes(2 * tokens * static_cast<double>(block.hidden));
  // Megatron's own attention writes its scores into the same kind of buffer
  // (transformer/dot_product_attention.py).
  if (!run.libraries.transformer_engine && !block.attention.fused)
    sum += Bytes(2 * tokens * static_cast<double>(block.attention.heads * run.model.sequence) / tensor);
  return sum;
}

Bytes rotary_table(const TrainingRun& run) {
  const AttentionSpec& attention = run.model.block.attention;
  if (!attention.rotary) return {};
  const std::int64_t width = attention.latent ? attention.latent->rotary_size : attention.head_size;
  return Bytes(4 * static_cast<double>(width * (run.tokens() / run.micro_batch)));
}

}  // namespace

State state_of(const TrainingRun& run, const Parameters& parameters) {
  State sum = state_of_buffer(run, parameters.dense, run.mesh.dense_shards());
  const State expert = state_of_buffer(run, parameters.expert, run.mesh.expert_shards());
  sum.weights += expert.weights;
  sum.gradients += expert.gradients;
  sum.main_weights += expert.main_weights;
  sum.optimizer += expert.optimizer;
  return sum;
}

Caches caches_of(const TrainingRun& run, const Parameters& parameters, std::int64_t stage) {
  const bool last = stage == run.mesh.pipeline - 1;
  return {dummies(run, parameters), workspaces(run, last, has_experts(run, stage)), gather_buffer(run, last),
          rotary_table(run)};
}

}  // namespace paceline::megatron
