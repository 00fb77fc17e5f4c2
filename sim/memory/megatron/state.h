// What a rank holds from the end of the first step on, whatever it does: parameters, gradients, optimizer
// state, and what libraries and the framework cache.
#pragma once

#include "base/quantity.h"
#include "sim/memory/megatron/parameters.h"
#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

// Buffers of parameters. Per parameter (Megatron-LM, distrib_optimizer.py, float16_optimizer.py): bf16
// weights 2, fp32 main gradients 4, fp32 main weights 4, Adam 8; fp16 adds 16-bit gradients, 2. A distributed
// optimizer divides main weights and Adam among the ranks that hold the same parameters, and pads the buffers
// to a multiple of lcm(ranks, 128) elements.
struct State {
  Bytes weights, gradients, main_weights, optimizer;

  [[nodiscard]] Bytes total() const { return weights + gradients + main_weights + optimizer; }
};
[[nodiscard]] State state_of(const TrainingRun& run, const Parameters& parameters);

struct Caches {
  // With gradient accumulation fused into the products autograd still wants a gradient: one dummy for each
  // distinct weight shape (tensor_parallel/layers.py, Transformer Engine's get_dummy_wgrad).
  Bytes weight_gradient_dummies;
  Bytes workspaces;     // of matrix products; see Libraries
  Bytes gather_buffer;  // gathered input of the output layer; scores of unfused attention without the Engine
  Bytes rotary_table;

  [[nodiscard]] Bytes total() const {
    return weight_gradient_dummies + workspaces + gather_buffer + rotary_table;
  }
};
[[nodiscard]] Caches caches_of(const TrainingRun& run, const Parameters& parameters, std::int64_t stage);

}  // namespace paceline::megatron
