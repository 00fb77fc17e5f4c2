// Memory of every rank of a Megatron-style run: what it holds, and its fullest moment.
#pragma once

#include <string>
#include <vector>

#include "sim/memory/megatron/parameters.h"
#include "sim/memory/megatron/run.h"
#include "sim/memory/megatron/state.h"

namespace paceline::megatron {

// Of one rank of a pipeline stage; all ranks of a stage are alike up to the padding of shards.
struct StageMemory {
  std::int64_t stage = 0, ranks = 0;
  Parameters parameters;
  State state;
  Caches caches;
  Bytes held_between_steps;  // pipeline tensors that the schedule's lists keep
  Bytes held_in_step;        // gradients of the micro-batch before, kept by the schedule's loop
  Bytes kept;                // activations of all micro-batches in flight
  Bytes temporaries;         // of the fullest moment
  std::string moment;        // "output layer backward", ...
  Bytes unsplit;             // rests of segments that are not split off the large buffers and the logits

  // Allocated at the end of a step.
  [[nodiscard]] Bytes between_steps() const { return state.total() + caches.total() + held_between_steps; }
  // Largest sum of requests during a step.
  [[nodiscard]] Bytes peak() const {
    return state.total() + caches.total() + held_in_step + kept + temporaries;
  }
  // What the caching allocator counts as allocated then.
  [[nodiscard]] Bytes allocated_peak() const { return peak() + unsplit; }
  // Of the caching allocator, without fragmentation that grows over many steps.
  Bytes reserved;
};

// Stages in order. Throws InputError when the run does not pass `check`.
[[nodiscard]] std::vector<StageMemory> memory_of_stages(const TrainingRun& run);

}  // namespace paceline::megatron
