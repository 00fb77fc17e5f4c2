#include "sim/memory/megatron/pipeline.h"

#include <algorithm>

namespace paceline::megatron {
namespace {

// Layers of the chunks in the order of the model: chunk c of stage i is number c * p + i.
std::vector<std::int64_t> layers_of_chunks(const TrainingRun& run) {
  const std::int64_t stages = run.mesh.pipeline, count = stages * run.mesh.virtual_stages;
  std::vector<std::int64_t> layers(static_cast<std::size_t>(count));
  std::int64_t units = run.model.layers + (run.embedding_in_split ? 1 : 0) + (run.loss_in_split ? 1 : 0);
  std::int64_t even = count;
  for (const auto& fixed : {run.first_stage_layers, run.last_stage_layers})
    if (fixed) {
      units -= *fixed;
      even -= run.mesh.virtual_stages;
    }
  std::fill(layers.begin(), layers.end(), even > 0 ? units / even : 0);
  for (std::int64_t chunk = 0; chunk < count; ++chunk) {
    auto& own = layers[static_cast<std::size_t>(chunk)];
    if (run.first_stage_layers && chunk % stages == 0)
      own = *run.first_stage_layers / run.mesh.virtual_stages;
    if (run.last_stage_layers && chunk % stages == stages - 1)
      own = *run.last_stage_layers / run.mesh.virtual_stages;
  }
  if (run.embedding_in_split) --layers.front();
  if (run.loss_in_split) --layers.back();
  return layers;
}

// Micro-batches must split into groups of which the last is whole or not shorter than the pipeline; the
// smallest legal size where none is given.
std::int64_t group_size(const TrainingRun& run) {
  if (run.group > 0) return run.group;
  const std::int64_t stages = run.mesh.pipeline;
  for (std::int64_t size = stages; size < run.micro_batches; ++size) {
    const std::int64_t rest = run.micro_batches % size;
    if (rest == 0 || rest >= stages) return size;
  }
  return std::max(stages, run.micro_batches);
}

void place_micro_batches(const TrainingRun& run, std::int64_t stage, std::vector<Chunk>& chunks) {
  const std::int64_t stages = run.mesh.pipeline, count = run.mesh.virtual_stages, batches = run.micro_batches;
  if (count == 1) {
    chunks[0].in_flight = std::min(batches, stages - stage);
    return;
  }
  const std::int64_t group = group_size(run);
  std::int64_t left = std::min(2 * (stages - stage - 1) + (count - 1) * group + 1, batches * count);
  for (std::int64_t done = 0; left > 0; done += group)
    for (Chunk& chunk : chunks) {
      const std::int64_t run_now = std::min({left, group, batches - done});
      chunk.in_flight += run_now;
      left -= run_now;
    }
}

}  // namespace

std::vector<Chunk> chunks_of_stage(const TrainingRun& run, std::int64_t stage) {
  const std::vector<std::int64_t> layers = layers_of_chunks(run);
  std::vector<Chunk> chunks(static_cast<std::size_t>(run.mesh.virtual_stages));
  std::int64_t first = 0;
  for (std::int64_t index = 0; index < static_cast<std::int64_t>(layers.size()); ++index) {
    const std::int64_t own = layers[static_cast<std::size_t>(index)];
    if (index % run.mesh.pipeline == stage) {
      const std::int64_t dense =
          run.model.block.experts ? std::clamp<std::int64_t>(run.model.dense_layers - first, 0, own) : own;
      Chunk& chunk = chunks[static_cast<std::size_t>(index / run.mesh.pipeline)];
      chunk.dense = dense;
      chunk.experts = own - dense;
    }
    first += own;
  }
  place_micro_batches(run, stage, chunks);
  return chunks;
}

}  // namespace paceline::megatron
