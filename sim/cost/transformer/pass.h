// Pass: what a rank does to take one micro-batch through a part of a transformer, in one direction: kernels
// on its compute stream, exchanges with its groups, and the host's time to launch them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/cost/kernel_cost.h"
#include "sim/strategy/mesh.h"

namespace paceline {

// An exchange blocks compute for `blocking` of its time x; the rest runs beside the next `beside` kernels,
// of which it can use the share `covered` (window w), and each costs the other `slowdown` of the smaller:
//   exposed(x) = blocking x + max(0, y - w) + slowdown min(y, w),  y = (1 - blocking) x
struct Cover {
  double blocking = 1, covered = 0, slowdown = 0;
  int beside = 0;  // kernels that follow; whole_pass: all of the pass
};
constexpr int whole_pass = -1;

struct Exchange {
  std::string name;  // "all-gather tensor"
  CollectiveKind kind = CollectiveKind::all_reduce;
  GroupKind group = GroupKind::tensor;
  Bytes message;      // as nccl-tests counts it
  double factor = 1;  // on the time of the law: collectives inside a model are slower than in a loop
  std::optional<Seconds> time;  // where no collective library moves it: dispatch kernels
  Cover cover;
};

using PassStep = std::variant<Kernel, Exchange>;

struct Pass {
  std::vector<PassStep> steps;
  Seconds host;  // of launching all of it
  void add(Kernel kernel) { steps.emplace_back(std::move(kernel)); }
  void add(Exchange exchange) { steps.emplace_back(std::move(exchange)); }
  void append(const Pass& other);  // steps and host
};
// Of all its kernels.
[[nodiscard]] Seconds kernel_time(const Pass& pass);

enum class UnitKind : std::uint8_t { embedding, layer, head };

// A piece of the model that stands on one stage: the embedding, one layer, the head with the loss. Per rank
// and micro-batch. `backward` is without recomputation; `recompute` comes before it.
struct Unit {
  std::string name;  // "layers.3"
  UnitKind kind = UnitKind::layer;
  Pass forward, recompute, backward;
  double weight_backward = 0;   // of backward: share that only weight gradients need
  double dense_parameters = 0;  // elements of one rank, expert ones apart
  double expert_parameters = 0;
  Bytes input, kept;  // of one micro-batch: what full recomputation keeps; what is kept without
  int alike = 1;      // consecutive units that are equal to this one; written once
};

struct TransformerWork {
  std::vector<Unit> units;  // in forward order
  Bytes boundary;           // T h in 16 bit, divided by tensor with sequence parallelism: what
                            // stages send
  bool tied_head = false;
  double head_parameters = 0;  // of the embedding table on a rank
  Flops model_flops;           // of one sample, forward, counted as Megatron does (causal half)
};

}  // namespace paceline
