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

// Throws InputError with the arithmetic: chunks with a schedule that has none (or not two, of ZB-V and of
// DualPipe), one stage, fewer micro-batches than stages or a last group of fewer than stages for
// interleaving, an odd number of stages, or an odd number or too few micro-batches for DualPipe.
void check(const PipelineShape& shape);

// By stage, in order of execution; a task waits for the tasks before it and for its input, sends wait for
// nobody. DualPipe: chunk 0 works on the first half of the micro-batches, which come from the first stage,
// chunk 1 on the second half, which come from the last stage; a forward of one and the full backward of the
// other that follow each other run beside each other.
[[nodiscard]] std::vector<std::vector<StageTask>> tasks_of_stages(const PipelineShape& shape);

// Places along the model: stages * chunks; of DualPipe, whose chunks are two copies of the model, stages.
[[nodiscard]] int places_in_model(const PipelineShape& shape);

// The place of (stage, chunk) along the model, from 0: s + c * stages; of ZB-V down and up again: s and
// 2 * stages - 1 - s; of DualPipe, down one copy and up the other: s and stages - 1 - s.
[[nodiscard]] int place_in_model(const PipelineShape& shape, int stage, int chunk);

// Most micro-batches' activations of one chunk that a stage holds at a time, added over its chunks, in
// chunks: from forward to the end of backward, of the weights' half where there are halves.
[[nodiscard]] int most_in_flight(const PipelineShape& shape, int stage);

}  // namespace paceline
