// Parallelism: the degrees of the mesh that a model is split over, and the switches of tensor, sequence,
// pipeline, context and expert parallelism and of sharded data parallelism.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"

namespace paceline {

// World size = tensor * context * pipeline * data; expert ranks are taken from data and context ranks.
struct Degrees {
  int tensor = 1, pipeline = 1, virtual_stages = 1, context = 1, expert = 1;
  // Ranks that hold a copy of the model between them.
  [[nodiscard]] int model() const { return tensor * pipeline * context; }
  bool operator==(const Degrees&) const = default;
};

// GPipe; PipeDream-flush (1F1B); Megatron's interleaved 1F1B; zero bubble H1 (ZB1P) and V; DualPipe.
enum class PipelineSchedule : std::uint8_t {
  gpipe,
  one_forward_one_backward,
  interleaved,
  zero_bubble_h1,
  zero_bubble_v,
  dual_pipe
};
// "gpipe", "1f1b", "interleaved", "zb-h1", "zb-v", "dualpipe"
[[nodiscard]] const std::vector<std::string>& pipeline_schedule_names();

// What is computed again in backward. selective: the core of attention. operators: all element-wise work and
// every second matrix product (torchtitan's per-operator policy). half: every second layer whole. full: every
// layer whole.
enum class Recompute : std::uint8_t { none, selective, operators, half, full };
[[nodiscard]] const std::vector<std::string>& recompute_names();

// How queries reach the keys and values of other context ranks.
enum class ContextExchange : std::uint8_t { ring, all_gather, all_to_all };
[[nodiscard]] const std::vector<std::string>& context_exchange_names();  // "ring", "all-gather", "all-to-all"

// Who moves tokens to their experts: a plain all-to-all, or kernels that send a token once to each rank.
enum class Dispatcher : std::uint8_t { all_to_all, deep_ep, hybrid_ep };
[[nodiscard]] const std::vector<std::string>& dispatcher_names();  // "alltoall", "deepep", "hybridep"

// What of a layer's launches is captured in CUDA graphs: nothing; router and preprocessing; attention too;
// the whole iteration.
enum class GraphScope : std::uint8_t { none, router, attention, full };
[[nodiscard]] const std::vector<std::string>& graph_scope_names();

// Matrix products in 8 bit: not; one scale a tensor (delayed or current); blocks of 32 (MX); one scale a row.
enum class Fp8Recipe : std::uint8_t { none, tensor, block, row };
[[nodiscard]] const std::vector<std::string>& fp8_recipe_names();  // "none", "tensor", "mxfp8", "rowwise"

enum class Offload : std::uint8_t { none, cpu, nvme };
[[nodiscard]] const std::vector<std::string>& offload_names();

// Which index of a rank in the mesh runs fastest. Megatron: tensor, context, data, pipeline. DeepSpeed's
// topology: model, data, pipe likewise; "pipeline-fastest" puts neighbouring stages on neighbouring ranks.
enum class RankOrder : std::uint8_t { tensor_context_data_pipeline, tensor_context_pipeline_data };
[[nodiscard]] const std::vector<std::string>& rank_order_names();  // "tp-cp-dp-pp", "tp-cp-pp-dp"

struct Parallelism {
  Degrees degrees;
  RankOrder order = RankOrder::tensor_context_data_pipeline;
  // Switches that are absent are the framework's defaults.
  std::optional<bool> sequence_parallel;  // with tensor > 1
  std::optional<bool> tensor_overlap;     // products cut in pieces that run beside the collectives
  std::optional<PipelineSchedule> schedule;
  std::optional<bool> pipeline_overlap;  // sends and receives beside compute (interleaved)
  std::vector<int> stage_layers;         // layers of each (virtual) stage; empty: as even as possible
  std::optional<bool> balance_stages;    // stages cut by time, embedding and head counted
  bool embedding_counts = false;         // embedding and loss each count as a layer when stages are cut
  std::optional<int> microbatch_group;   // interleaved: micro-batches of a chunk in a row
  ContextExchange context_exchange = ContextExchange::ring;
  Recompute recompute = Recompute::none;
  std::vector<std::string> recompute_modules;  // of layers with experts: "mla_up_proj", "moe_act",
                                               // "layernorm", "mlp"

  // Data parallelism.
  int zero_stage = 0;                      // 0 replicated, 1 optimizer states, 2 + gradients, 3 + parameters
  int replicas = 1;                        // groups that each hold all shards (HSDP, optimizer instances)
  std::optional<bool> overlap_gradients;   // reduced beside the last backward
  std::optional<bool> overlap_parameters;  // gathered beside the first forward
  std::optional<double> gradient_bytes;    // of an element when it is reduced
  std::optional<bool> reshard_after_forward;  // zero_stage 3: gathered again in backward
  std::optional<bool> synchronise_last_only;  // accumulation without communication but for the last
  Offload offload_optimizer = Offload::none, offload_parameters = Offload::none;

  // Mixtures of experts.
  std::optional<Dispatcher> dispatcher;
  std::optional<GraphScope> graph_scope;
  std::optional<bool> expert_overlap;   // all-to-all of one micro-batch beside the compute of another
  std::optional<bool> grouped_experts;  // one kernel for all experts of a rank
  bool token_drop = false;              // fixed capacity: counts need not reach the host
  std::optional<double> capacity_factor;
  double expert_imbalance = 1;  // tokens of the fullest expert rank over the mean
  Fp8Recipe fp8 = Fp8Recipe::none;
  bool fp8_dispatch = false;   // tokens go to their experts in 8 bit, and come back in 16
  bool fp8_attention = false;  // the core of attention in 8 bit too

  bool operator==(const Parallelism&) const = default;
  [[nodiscard]] bool splits_model() const { return degrees.model() > 1 || degrees.expert > 1; }
};

}  // namespace paceline
