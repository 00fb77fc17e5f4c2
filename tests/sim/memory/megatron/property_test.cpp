// What holds for every run, whatever its sizes.
#include <gtest/gtest.h>

#include "base/error.h"
#include "example_runs.h"
#include "sim/memory/megatron/memory_of_stage.h"
#include "sim/memory/megatron/pipeline.h"

namespace paceline::megatron {
namespace {

Bytes largest_state(const TrainingRun& run) {
  Bytes largest;
  for (const StageMemory& stage : memory_of_stages(run)) largest = std::max(largest, stage.state.total());
  return largest;
}

TEST(MegatronMemoryProperty, DistributedOptimizerNeverNeedsMore) {
  for (const std::int64_t data : {1, 2, 8, 64})
    for (TrainingRun run : {llama_70b(2, 2, 1, data, 4096), deepseek_v2()}) {
      run.distributed_optimizer = true;
      const auto divided = memory_of_stages(run);
      run.distributed_optimizer = false;
      const auto whole = memory_of_stages(run);
      for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_LE(divided[i].peak(), whole[i].peak()) << data;
    }
}

TEST(MegatronMemoryProperty, MoreTensorParallelismNeverHoldsMore) {
  for (const bool distributed : {false, true}) {
    Bytes before(1e15);
    for (const std::int64_t tensor : {1, 2, 4, 8}) {
      TrainingRun run = llama_70b(tensor, 2, 1, 8 / tensor, 4096);
      run.distributed_optimizer = distributed;
      const Bytes now = largest_state(run);
      EXPECT_LE(now, before) << tensor;
      // A distributed optimizer divides its 12 bytes among all 8 ranks of a stage either way.
      before = now;
    }
  }
}

// Parameters of all ranks of one model copy = parameters of the model + (t - 1) copies of what tensor
// parallelism repeats: two norms a layer and the final one. 129024 rows are 128256 padded to 1024.
TEST(MegatronMemoryProperty, ShardsSumToTheModelAndItsCopies) {
  const std::int64_t layer = 8192 * 10240 + 8192 * 8192 + 3 * 8192 * 28672;
  for (const std::int64_t pipeline : {1, 2, 4, 12}) {
    TrainingRun run = llama_70b(8, pipeline, 1, 1, 4096);
    std::int64_t sum = 0;
    for (const StageMemory& stage : memory_of_stages(run)) sum += 8 * stage.parameters.count();
    EXPECT_EQ(sum, 12 * (layer + 8 * 2 * 8192) + 2 * 129024 * std::int64_t{8192} + 8 * 8192) << pipeline;
  }
}

// A tied embedding exists once in a single stage and twice in several.
TEST(MegatronMemoryProperty, StagesCopyATiedEmbedding) {
  TrainingRun run = small_gpt();
  const auto count = [](const TrainingRun& each) {
    std::int64_t sum = 0;
    for (const StageMemory& stage : memory_of_stages(each)) sum += stage.parameters.count();
    return sum;
  };
  const std::int64_t alone = count(run);
  run.mesh.pipeline = 4;
  EXPECT_EQ(count(run) - alone, 50304 * 512);
}

// Expert parallelism divides experts only: e times the expert parameters of a rank are those of the model.
TEST(MegatronMemoryProperty, ExpertShardsSumToAllExperts) {
  for (const std::int64_t expert : {1, 2, 4, 8}) {
    TrainingRun run = deepseek_v3();
    run.mesh.expert = expert;
    const Parameters parameters = memory_of_stages(run).front().parameters;
    EXPECT_EQ(expert * parameters.expert, 3 * 256 * 3 * 2048 * std::int64_t{7168}) << expert;
    EXPECT_EQ(parameters.dense, memory_of_stages(deepseek_v3()).front().parameters.dense);
  }
}

TEST(MegatronMemoryProperty, MicroBatchesBeyondTheStagesChangeNothing) {
  for (TrainingRun run : {llama_70b(1, 4, 1, 2, 4096), deepseek_v2()}) {
    run.micro_batches = 4;
    const auto few = memory_of_stages(run);
    run.micro_batches = 32;
    const auto many = memory_of_stages(run);
    for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].peak(), many[i].peak());
  }
}

TEST(MegatronMemoryProperty, LargerMicroBatchesDoubleActivationsOnly) {
  TrainingRun run = llama_70b(8, 1, 1, 1, 4096);
  const StageMemory one = memory_of_stages(run).front();
  run.micro_batch = 2;
  const StageMemory two = memory_of_stages(run).front();
  EXPECT_EQ(two.kept, one.kept * 2);
  EXPECT_EQ(two.temporaries, one.temporaries * 2);
  EXPECT_EQ(two.state.total(), one.state.total());
  EXPECT_EQ(two.caches.total() - two.caches.gather_buffer, one.caches.total() - one.caches.gather_buffer);
}

TEST(MegatronMemoryProperty, RecomputingMoreKeepsLess) {
  TrainingRun run = small_gpt();
  Bytes before(1e15);
  for (const Recompute mode : {Recompute::none, Recompute::selective, Recompute::full_uniform}) {
    run.recompute = mode;
    const Bytes kept = memory_of_stages(run).front().kept;
    EXPECT_LT(kept, before);
    before = kept;
  }
  // Recomputing all layers of a block is recomputing one by one; none of them, keeping all.
  run.recompute = Recompute::full_block;
  run.recompute_layers = 12;
  EXPECT_EQ(memory_of_stages(run).front().kept, before);
}

// Stage i of p = 4 holds min(m, 4 - i) micro-batches; the layers of all stages are the model's.
TEST(MegatronMemoryProperty, StagesHoldWhatTheScheduleRunsAhead) {
  TrainingRun run = llama_70b(1, 4, 1, 2, 4096);
  for (const std::int64_t batches : {1, 2, 8}) {
    run.micro_batches = batches;
    std::int64_t layers = 0;
    for (std::int64_t stage = 0; stage < 4; ++stage) {
      const Chunk chunk = chunks_of_stage(run, stage).front();
      EXPECT_EQ(chunk.in_flight, std::min(batches, 4 - stage));
      layers += chunk.layers();
    }
    EXPECT_EQ(layers, 12);
  }
}

TEST(MegatronMemoryProperty, RefusesDegreesThatDoNotDivide) {
  EXPECT_THROW((void)memory_of_stages(llama_70b(3, 1, 1, 1, 4096)), InputError);
  EXPECT_THROW((void)memory_of_stages(llama_70b(1, 5, 1, 1, 4096)), InputError);
  EXPECT_THROW((void)memory_of_stages(llama_70b(1, 1, 3, 1, 4096)), InputError);
  TrainingRun run = deepseek_v3();
  run.mesh.expert = 3;
  EXPECT_THROW((void)memory_of_stages(run), InputError);
  run = small_gpt();
  run.mesh.pipeline = 3;
  run.first_stage_layers = 20;
  EXPECT_THROW((void)memory_of_stages(run), InputError);
  run.first_stage_layers = 3;  // 9 layers are left for two stages
  EXPECT_THROW((void)memory_of_stages(run), InputError);
  run.first_stage_layers = 4;
  EXPECT_EQ(memory_of_stages(run).size(), 3U);
  run.micro_batch = 0;
  EXPECT_THROW((void)memory_of_stages(run), InputError);
}

}  // namespace
}  // namespace paceline::megatron
