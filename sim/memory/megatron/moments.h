// Moments of a micro-batch at which a rank may be fullest, and what is alive only then.
#pragma once

#include <string>

#include "base/quantity.h"
#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

struct Moment {
  std::string name;
  Bytes temporaries;
  Bytes largest_tensor;  // one of them that needs a segment of its own: the logits; 0: none
};

// What the layers of a stage are at its fullest: the last layer of the newest micro-batch decides.
struct StageShape {
  std::int64_t stage = 0;
  bool ends_with_experts = false;
  bool has_layers = true;
};

// The one with most temporaries. In Megatron-LM with Transformer Engine:
// - last stage: the loss (6 bytes per vocabulary entry and token unfused, 10 compiled, 2 fused) and the
//   backward of the output layer (logits, gradient of its input, with sequence parallelism its part as well);
// - dense layers: backward of the activation in the last layer: gradients of output, activation and its
// input;
// - experts: the return of routed tokens in forward, when Python still holds four tensors of all pairs and
// two
//   of all tokens;
// - full recomputation: one unit rebuilt.
[[nodiscard]] Moment fullest_moment(const TrainingRun& run, const StageShape& shape);

}  // namespace paceline::megatron
