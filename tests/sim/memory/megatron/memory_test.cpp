// Bytes of published runs by sums of their tensors.
#include <gtest/gtest.h>

#include "example_runs.h"
#include "sim/memory/megatron/activations.h"
#include "sim/memory/megatron/memory_of_stage.h"

namespace paceline::megatron {
namespace {

constexpr double mebibyte = 1048576;

std::vector<double> peaks(const TrainingRun& run) {
  std::vector<double> bytes;
  for (const StageMemory& stage : memory_of_stages(run)) bytes.push_back(stage.peak().value());
  return bytes;
}

// 12 layers of (QKV 8192 x 10240 + projection 8192^2 + SwiGLU 3 x 8192 x 28672) / 8 + 2 x 8192, embedding and
// output layer 128256 x 8192 / 8 each (a multiple of 128 x 8 = 1024: 129024 rows), final norm 8192.
TEST(MegatronMemory, CountsTheParametersOfADenseRank) {
  const StageMemory memory = memory_of_stages(llama_70b(8, 1, 1, 1, 4096)).front();
  EXPECT_EQ(memory.parameters.count(), 1547902976);
  EXPECT_EQ(memory.state.weights.value(), 2.0 * 1547902976);
  EXPECT_EQ(memory.state.gradients.value(), 4.0 * 1547902976);
  EXPECT_EQ(memory.state.main_weights.value(), 4.0 * 1547902976);
  EXPECT_EQ(memory.state.optimizer.value(), 8.0 * 1547902976);
  // 2 bytes x (QKV 10,485,760 + projection 8,388,608 + FC1 58,720,256 + FC2 29,360,128) + output layer.
  EXPECT_EQ(memory.caches.weight_gradient_dummies.value(), 478150656);
}

// Peaks of one micro-batch, measured within 0.05 % on B200. First the state 18 N (or (6 + 12 / d) N),
// dummies, workspaces and kept activations of 256.25 (405B) and 134.13 MiB (70B) a layer at t = 8; then at
// the output layer's backward logits 2 V S / t + 2 h S (+ 2 h S / t), at the activation's backward 2 h S + 4
// f S / t.
TEST(MegatronMemory, SumsDensePeaks) {
  EXPECT_EQ(peaks(llama_70b(8, 1, 1, 1, 4096)), std::vector<double>{30372350976});
  EXPECT_EQ(peaks(llama_405b(8, 1, 1, 1, 4096)), std::vector<double>{41418558464});
  EXPECT_EQ(peaks(llama_405b(4, 1, 1, 2, 4096)), std::vector<double>{56787719168});
  // First stages: 512 bytes of the allocator's rounding are not counted.
  EXPECT_EQ(peaks(llama_405b(1, 2, 1, 4, 4096)), (std::vector<double>{92977956352 - 512, 93479552000}));
  EXPECT_EQ(peaks(llama_70b(1, 2, 1, 4, 4096)), (std::vector<double>{71447053824 - 512, 67596854272}));
  const auto stages = memory_of_stages(llama_70b(1, 2, 1, 4, 4096));
  EXPECT_EQ(stages[0].moment, "activation backward");
  EXPECT_EQ(stages[1].moment, "output layer backward");
}

// Logits of 251 MiB take a segment of 252 MiB whole: measured 54,158.1 MiB allocated. At t = 8 they are 126
// MiB.
TEST(MegatronMemory, CountsBlocksThatAreNotSplit) {
  const StageMemory four = memory_of_stages(llama_405b(4, 1, 1, 2, 4096)).front();
  EXPECT_EQ(four.unsplit, mebibytes(1));
  EXPECT_NEAR(four.allocated_peak().value() / mebibyte, 54158.1, 0.2);
  EXPECT_LT(memory_of_stages(llama_405b(8, 1, 1, 1, 4096)).front().unsplit, mebibytes(1));
}

// Exchanging heads keeps the attention's output a second time: 2 a D / t bytes a token.
TEST(MegatronMemory, SumsContextParallelPeaks) {
  EXPECT_EQ(peaks(llama_70b(1, 1, 8, 1, 131072)), std::vector<double>{158877447168});
  EXPECT_EQ(peaks(llama_70b(2, 1, 4, 1, 131072)), std::vector<double>{120946631680});
  EXPECT_EQ(peaks(llama_70b(2, 1, 4, 1, 32768)), std::vector<double>{73451103232});
  EXPECT_EQ(peaks(llama_405b(1, 1, 8, 1, 32768)), std::vector<double>{149444584448});
  EXPECT_EQ(peaks(llama_405b(2, 1, 4, 1, 32768)), std::vector<double>{93398434816});
}

// States of 25,293.9 and 40,285.9 MiB (V2, two stages) and 95,005.3 MiB (V3); measured peaks 32,342.7,
// 45,774.6 and 106,801 MiB, while four tensors of all routed pairs are alive.
TEST(MegatronMemory, SumsExpertPeaks) {
  const auto v2 = memory_of_stages(deepseek_v2()), v3 = memory_of_stages(deepseek_v3());
  EXPECT_NEAR(v2[0].state.total().value() / mebibyte, 25293.9, 0.1);
  EXPECT_NEAR(v2[1].state.total().value() / mebibyte, 40285.9, 0.1);
  EXPECT_NEAR(v3[0].state.total().value() / mebibyte, 95005.3, 0.1);
  EXPECT_NEAR(v2[0].peak().value() / mebibyte / 32342.7, 1, 0.003);
  EXPECT_NEAR(v2[1].peak().value() / mebibyte / 45774.6, 1, 0.003);
  EXPECT_NEAR(v3[0].peak().value() / mebibyte / 106801, 1, 0.003);
  EXPECT_EQ(v3[0].moment, "return of routed tokens");
}

// With a capacity, experts x ceil(tokens x chosen / experts): 160 x ceil(4096 x 6 / 160 = 153.6) and 256 x
// 128.
TEST(MegatronMemory, PadsPairsToCapacity) {
  EXPECT_EQ(pairs_received(deepseek_v2()), 24640);
  EXPECT_EQ(pairs_received(deepseek_v3()), 32768);
  TrainingRun balanced = deepseek_v2();
  balanced.capacity_factor.reset();
  EXPECT_EQ(pairs_received(balanced), 4096 * 6);
}

// 405B at t = 8: S ((8 h + 8) / 8 + (4 (a + g) D + 6 f + 4 a) / 8) = 256.25 MiB; 70B 134.13, t = 1 1,073.03;
// V2: latent attention 754.5 + dense 368 MiB.
TEST(MegatronMemory, KeepsWhatALayerNeeds) {
  const auto kept = [](const TrainingRun& run) { return kept_by_layer(run, false).value() / mebibyte; };
  EXPECT_NEAR(kept(llama_405b(8, 1, 1, 1, 4096)), 256.25, 0.01);
  EXPECT_NEAR(kept(llama_70b(8, 1, 1, 1, 4096)), 134.13, 0.01);
  EXPECT_NEAR(kept(llama_70b(1, 1, 1, 8, 4096)), 1073.03, 0.01);
  EXPECT_NEAR(kept(deepseek_v2()), 754.5 + 368, 0.1);
  // Eager attention with dropout: sbh (34 + 5 a s / h) = 2 MiB x (34 + 5 x 8 x 1024 / 512) = 228 MiB, and two
  // layer norms' mean and deviation of 16 bytes a token. Selective recomputation drops 5 a s / h.
  TrainingRun gpt = small_gpt();
  EXPECT_NEAR(kept(gpt), 228 + 4096 * 16 / mebibyte, 1e-9);
  gpt.recompute = Recompute::selective;
  EXPECT_NEAR(kept(gpt), 68 + 4096 * 16 / mebibyte, 1e-9);
}

// Flash attention works by sample, Megatron by position: two samples keep the output in both orders, 2 a D
// bytes a token; one sample is the same either way.
TEST(MegatronMemory, KeepsTheOutputInBothOrders) {
  TrainingRun run = llama_70b(8, 1, 1, 1, 4096);
  const auto kept = [&](bool batch_first, std::int64_t samples) {
    run.batch_first_attention = batch_first;
    run.micro_batch = samples;
    return kept_by_layer(run, false);
  };
  EXPECT_EQ(kept(true, 1), kept(false, 1));
  EXPECT_EQ((kept(true, 2) - kept(false, 2)).value(), 2.0 * 4096 * 2 * 8192 / 8);
}

// Precision-aware optimizer over d = 4: 2 + 2 + (2 + 2 + 2) / 4 bytes a parameter in place of 2 + 4 + 12 / 4;
// fp16 has 16-bit gradients beside the fp32 ones: 4 + 2 + 2 + 12 / 4.
TEST(MegatronMemory, CountsTheOptimizersNumberFormats) {
  TrainingRun run = llama_70b(2, 1, 1, 4, 4096);
  const double parameters = static_cast<double>(memory_of_stages(run).front().parameters.count());
  const auto each = [&] { return memory_of_stages(run).front().state.total().value() / parameters; };
  EXPECT_NEAR(each(), 9, 1e-6);
  run.optimizer = {2, 2, 4};
  EXPECT_NEAR(each(), 5.5, 1e-6);
  run.optimizer = {};
  run.precision = Precision::fp16;
  EXPECT_NEAR(each(), 11, 1e-6);
}

// GPT of 64,109,568 parameters, distributed optimizer over 8: 7.5 N + 2 x 32 + 4 MiB of workspaces between
// steps (measured 552,128,512); 12 x 228 MiB + loss of 6 x 50304 x 4096 + final norm and gradient at the peak
// (measured 4,673,069,568).
TEST(MegatronMemory, MeetsSmallGoldenBytes) {
  TrainingRun run = small_gpt();
  run.mesh.data = 8;
  run.distributed_optimizer = true;
  run.micro_batches = 1;
  const StageMemory memory = memory_of_stages(run).front();
  EXPECT_EQ(memory.parameters.count(), 64109568);
  EXPECT_EQ(memory.between_steps().value(), 552124928);
  EXPECT_NEAR(memory.peak().value(), 4673069568, 0.0002 * 4673069568);
}

// Interleaved, p = 4, v = 3: (v - 1) G + 1 = 9 chunks of one layer on the last stage, 11 when G = 5, the only
// legal group of 5 micro-batches; measured 3,932 and 4,384 MiB.
TEST(MegatronMemory, HoldsTheChunksOfAnInterleavedSchedule) {
  TrainingRun run = small_gpt();
  run.mesh = {1, 4, 3, 1, 2, 1, 1};
  run.micro_batches = 4;
  const StageMemory four = memory_of_stages(run).back();
  run.micro_batches = 5;
  const StageMemory five = memory_of_stages(run).back();
  EXPECT_NEAR((five.kept - four.kept).value(), (2 * kept_by_layer(run, false)).value(), 1);
  EXPECT_NEAR(four.kept.value(), (9 * kept_by_layer(run, false)).value(), 1);
  EXPECT_NEAR(four.peak().value() / mebibyte / 3932, 1, 0.01);
  EXPECT_NEAR(five.peak().value() / mebibyte / 4384, 1, 0.01);
}

}  // namespace
}  // namespace paceline::megatron
