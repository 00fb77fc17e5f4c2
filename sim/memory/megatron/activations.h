// Bytes that the layers of one micro-batch keep for backward.
#pragma once

#include "base/quantity.h"
#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

// Routed pairs of token and expert that one rank receives in a micro-batch: the mean, or with a capacity
// experts * ceil(tokens * chosen / experts * factor), whatever the routing.
[[nodiscard]] double pairs_received(const TrainingRun& run);

// Kept by one layer, as if nothing were recomputed except the scores under selective recomputation. Tensors
// as Transformer Engine and Megatron-LM save them: inputs and outputs of both norms, queries, keys, values,
// attention's output and its log-sum-exp (or scores, 16 bit), inputs of activation and second product; one
// byte an element for dropout masks. Sequence parallelism divides what has full width.
[[nodiscard]] Bytes kept_by_layer(const TrainingRun& run, bool with_experts);

// Full recomputation keeps the input of a layer, of full width without sequence parallelism.
[[nodiscard]] Bytes input_of_layer(const TrainingRun& run);

}  // namespace paceline::megatron
