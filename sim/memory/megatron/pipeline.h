// Which layers a pipeline stage has, and how many micro-batches it holds at once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

// Layers of one chunk: dense ones, and ones with experts.
struct Chunk {
  std::int64_t dense = 0, experts = 0;
  std::int64_t in_flight = 0;  // micro-batches whose activations it holds at the stage's fullest moment

  [[nodiscard]] std::int64_t layers() const { return dense + experts; }
};

// Chunks of a stage, one for each virtual stage. The fullest moment of 1F1B: stage i of p has run p - i
// micro-batches forward and none backward. Interleaved with groups of G: 2 (p - i - 1) + (v - 1) G + 1
// chunks, in the order in which they run (Megatron-LM, pipeline_parallel/schedules.py).
[[nodiscard]] std::vector<Chunk> chunks_of_stage(const TrainingRun& run, std::int64_t stage);

}  // namespace paceline::megatron
