// Pipeline schedules: in which order each stage works on which micro-batch. No times.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/strategy/parallelism.h"

namespace paceline {

// full backward, or its two halves: gradient of the input, gradient of the weights.
enum class StageWork : std::uint8_t { forward, backward, backward_input, backward_weight };

struct StageTask {
  StageWork work = StageWork::forward;
  int micro_batch = 0;
  int chunk = 0;  // of the stage's chunks (virtual stages)
};

struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int stages = 1, chunks = 1, micro_batches = 1;
  int group = 0;  // interleaved: micro-batches of a chunk in a row; 0: as many as stages
};

// Throws InputError with the arithmetic: chunks with a schedule that has none (or not two, of ZB-V), fewer
// micro-batches than stages or no multiple of the group for interleaving, an odd number of stages or too few
// micro-batches for DualPipe, ...
void check(const PipelineShape& shape);

// By stage, in order of execution.
[[nodiscard]] std::vector<std::vector<StageTask>> tasks_of_stages(const PipelineShape& shape);

// The position of (stage, chunk) along the model, 0 to stages * chunks - 1: s + c * stages; of ZB-V down and
// up again.
[[nodiscard]] int place_in_model(const PipelineShape& shape, int stage, int chunk);

// Most micro-batches' activations of one chunk that a stage holds at a time, added over its chunks, in
// chunks.
[[nodiscard]] int most_in_flight(const PipelineShape& shape, int stage);

}  // namespace paceline
