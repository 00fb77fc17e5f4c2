#include "sim/memory/megatron/memory_of_stage.h"

#include <algorithm>
#include <cmath>

#include "sim/memory/megatron/activations.h"
#include "sim/memory/megatron/allocator.h"
#include "sim/memory/megatron/moments.h"
#include "sim/memory/megatron/pipeline.h"

namespace paceline::megatron {
namespace {

Bytes kept_by_chunk(const TrainingRun& run, const Chunk& chunk) {
  Bytes all;
  if (chunk.dense > 0) all += kept_by_layer(run, false) * static_cast<double>(chunk.dense);
  if (chunk.experts > 0) all += kept_by_layer(run, true) * static_cast<double>(chunk.experts);
  const double layers = static_cast<double>(chunk.layers());
  const Bytes inputs = input_of_layer(run);
  switch (run.recompute) {
    case Recompute::none:
    case Recompute::selective:
      return all;
    case Recompute::full_uniform:
      return inputs * std::ceil(layers / static_cast<double>(run.recompute_layers));
    case Recompute::full_block: {
      // The first layers of the chunk are recomputed; the rest keep everything.
      const double rebuilt = std::min(layers, static_cast<double>(run.recompute_layers));
      return layers > 0 ? inputs * rebuilt + all * ((layers - rebuilt) / layers) : all;
    }
  }
  return all;
}

// Masks of dropout after the embedding, of each micro-batch in flight.
Bytes kept_by_embedding(const TrainingRun& run, const Chunk& first) {
  if (!run.model.block.dropout) return {};
  return input_of_layer(run) * (0.5 * static_cast<double>(first.in_flight));
}

// The schedule's lists of inputs and outputs of the last micro-batch survive until they are collected.
Bytes held_between_steps(const TrainingRun& run) {
  if (run.mesh.pipeline == 1) return {};
  return input_of_layer(run) * (2.0 * static_cast<double>(run.mesh.virtual_stages));
}

// Local variables of the schedule's loop: the gradient sent for the micro-batch before. Interleaved schedules
// receive ahead and also hold the next chunk's input and the next output gradient.
Bytes held_in_step(const TrainingRun& run, std::int64_t stage) {
  if (run.mesh.virtual_stages > 1) return input_of_layer(run) * 3;
  return stage > 0 ? input_of_layer(run) : Bytes();
}

Bytes unsplit_rest(Bytes request) { return allocated_in_own_segment(request) - request; }

StageMemory memory_of_stage(const TrainingRun& run, std::int64_t stage) {
  StageMemory memory;
  memory.stage = stage;
  memory.ranks = run.mesh.world() / run.mesh.pipeline;
  memory.parameters = parameters_of_stage(run, stage);
  memory.state = state_of(run, memory.parameters);
  memory.caches = caches_of(run, memory.parameters, stage);
  const std::vector<Chunk> chunks = chunks_of_stage(run, stage);
  StageShape shape{stage, false, false};
  for (const Chunk& chunk : chunks) {
    memory.kept += kept_by_chunk(run, chunk) * static_cast<double>(chunk.in_flight);
    if (chunk.layers() == 0) continue;
    shape.has_layers = true;
    shape.ends_with_experts = chunk.experts > 0;
  }
  if (stage == 0) memory.kept += kept_by_embedding(run, chunks.front());
  memory.held_between_steps = held_between_steps(run);
  memory.held_in_step = held_in_step(run, stage);
  const Moment fullest = fullest_moment(run, shape);
  memory.moment = fullest.name;
  memory.temporaries = fullest.temporaries;
  memory.unsplit = unsplit_rest(memory.state.weights) + unsplit_rest(memory.state.gradients) +
                   unsplit_rest(fullest.largest_tensor);
  memory.reserved = memory.allocated_peak() * run.libraries.reserved_rate;
  return memory;
}

}  // namespace

std::vector<StageMemory> memory_of_stages(const TrainingRun& run) {
  check(run);
  std::vector<StageMemory> stages;
  for (std::int64_t stage = 0; stage < run.mesh.pipeline; ++stage)
    stages.push_back(memory_of_stage(run, stage));
  return stages;
}

}  // namespace paceline::megatron
