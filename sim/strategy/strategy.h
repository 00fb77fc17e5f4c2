// Strategy: how the work of a training step is split over devices, and the switches of the framework that
// does it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/strategy/framework.h"
#include "sim/strategy/parallelism.h"

namespace paceline {

enum class StrategyKind {
  single,
  data_parallel,
  distributed_data_parallel,
  horovod,
  mirrored,
  parameter_server,
  zero,          // DeepSpeed's ZeRO, Megatron's distributed optimizer: parallel.zero_stage 1 to 3
  fully_sharded  // FSDP, HSDP with parallel.replicas > 1
};
[[nodiscard]] const std::vector<std::string>& strategy_names();  // "single", "dp", "ddp", "horovod", ...
[[nodiscard]] std::string title_of(StrategyKind kind);           // "one GPU", "nn.DataParallel", "DDP"

// How variables are laid over parameter servers: in turn, each to the emptiest so far, or cut into equal
// parts.
enum class Placement { round_robin, by_size, partitioned };
[[nodiscard]] const std::vector<std::string>& placement_names();  // "round_robin", "by_size", "partitioned"

// What DDP's communication hook does to a bucket: casts it to 16 bits, or sends two low-rank factors instead.
enum class GradientHook { none, fp16, bf16, power_sgd };
[[nodiscard]] const std::vector<std::string>& hook_names();  // "none", "fp16", "bf16", "power_sgd"

struct Strategy {
  StrategyKind kind = StrategyKind::single;
  std::string framework = "pytorch";
  int accumulation = 1;  // micro-batches a step
  Optimizer optimizer = Optimizer::sgd;
  std::optional<bool> channels_last;  // the framework's default when absent
  std::optional<bool> overlap;        // "
  std::optional<Bytes> bucket_cap;    // "; first_bucket too
  std::optional<Bytes> first_bucket;
  bool find_unused_parameters = false;  // buckets in registration order, never rebuilt
  bool static_graph = false;  // looked-for unused parameters never change: buckets are rebuilt all the same
  bool gradient_as_bucket_view = false;
  bool broadcast_buffers = true;
  bool synchronise_every_micro_batch = false;  // DDP without no_sync: all-reduces in each of them
  GradientHook hook = GradientHook::none;
  int hook_rank = 1;                      // PowerSGD: columns of the two factors
  std::optional<bool> loss_in_model;      // nn.DataParallel: each replica computes its own loss
  std::optional<Bytes> fusion_threshold;  // Horovod: HOROVOD_FUSION_THRESHOLD; the framework's when absent
  std::optional<Seconds> cycle_time;      // Horovod: HOROVOD_CYCLE_TIME; "
  int servers = 1;                        // parameter servers, each with a node's network to itself
  Placement placement = Placement::round_robin;
  bool asynchronous = false;  // parameter servers: workers do not wait for each other
  Parallelism parallel;
};

// What of a model's states is sharded: the stage that was asked for, at least 1 of "zero", 3 of "fsdp".
[[nodiscard]] int zero_stage_of(const Strategy& strategy);

}  // namespace paceline
