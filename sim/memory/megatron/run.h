// What decides the memory of a Megatron-style training run: shapes, degrees of the mesh, options, and what
// the libraries below hold. No device and no cluster: the same run needs the same bytes anywhere.
#pragma once

#include <cstdint>
#include <optional>

#include "base/quantity.h"
#include "sim/model/transformer_spec.h"

namespace paceline::megatron {

// Degrees of parallelism. World size = tensor * context * pipeline * data.
struct Mesh {
  std::int64_t tensor = 1, pipeline = 1, virtual_stages = 1, context = 1, data = 1;
  std::int64_t expert = 1, expert_tensor = 1;

  [[nodiscard]] std::int64_t world() const { return tensor * pipeline * context * data; }
  // Ranks among which the optimizer state of dense and of expert parameters is divided.
  [[nodiscard]] std::int64_t dense_shards() const { return data * context; }
  [[nodiscard]] std::int64_t expert_shards() const { return world() / (expert * expert_tensor * pipeline); }
};

enum class Precision { bf16, fp16 };

// Bytes a parameter in the buffers that optimizers work on; fp32 unless a precision-aware optimizer says
// otherwise. Moments are Adam's two together. A 16-bit remainder in place of fp32 main weights is 2.
struct OptimizerBytes {
  double main_gradient = 4, main_weight = 4, moments = 8;
};

// How the loss of the vocabulary is computed: by Transformer Engine's fused kernel (gradient written into the
// logits), step by step in fp32, or the same steps compiled (each writes a new fp32 tensor).
enum class Loss { fused, unfused, compiled };

enum class Recompute { none, selective, full_uniform, full_block };

// What libraries keep from the first step on, on the device at hand.
struct Libraries {
  bool transformer_engine = true;
  Bytes engine_workspace;    // Transformer Engine's matrix products
  Bytes grouped_workspace;   // its grouped products: ranks with experts
  Bytes matrix_workspace;    // PyTorch's matrix products, one handle and stream
  double reserved_rate = 1;  // of the caching allocator: reserved over allocated
};

struct TrainingRun {
  DecoderSpec model;
  Mesh mesh;
  std::int64_t micro_batch = 1;
  std::int64_t micro_batches = 1;  // of one data-parallel rank in a step
  std::int64_t group = 0;  // micro-batches a chunk processes in a row when interleaved; 0: as few as legal
  std::int64_t optimizer_instances = 1;  // the distributed optimizer divides among data ranks / instances
  bool sequence_parallel = false;
  bool distributed_optimizer = false;
  Precision precision = Precision::bf16;
  OptimizerBytes optimizer;
  Loss loss = Loss::unfused;
  Recompute recompute = Recompute::none;
  std::int64_t recompute_layers = 1;  // uniform: layers of a unit; block: recomputed layers of a chunk
  bool grouped_products = false;      // all experts of a rank in one call: workspaces of their own
  bool gradient_accumulation_fusion = false;
  bool batch_first_attention = false;     // flash attention's order of samples; Megatron's is by position
  bool context_all_to_all = false;        // context parallelism by exchanging heads
  std::optional<double> capacity_factor;  // experts padded to this capacity; absent: balanced routing
  std::optional<std::int64_t> first_stage_layers, last_stage_layers;
  bool embedding_in_split = false, loss_in_split = false;  // each counts as a layer when stages are cut
  bool masked_language_heads = false;  // BERT: transform, vocabulary bias, pooler, binary head
  Libraries libraries;

  // Tokens of a micro-batch on a rank, before they are divided for sequence parallelism.
  [[nodiscard]] std::int64_t tokens() const { return micro_batch * model.sequence / mesh.context; }
  [[nodiscard]] std::int64_t token_shares() const { return sequence_parallel ? mesh.tensor : 1; }
  // Rows of the embedding after padding to a multiple of 128 * tensor.
  [[nodiscard]] std::int64_t padded_vocabulary() const;
};

// Throws InputError naming the field when degrees do not divide the shapes or each other.
void check(const TrainingRun& run);

}  // namespace paceline::megatron
