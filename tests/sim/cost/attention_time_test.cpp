// Time of attention and of layers of experts by mechanism.
#include "sim/cost/kernel/attention_time.h"

#include <gtest/gtest.h>

#include "sim/cost/kernel/expert_time.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

const KernelRates& rates_of(const std::string& device) {
  return *test::source_catalog().kernel_rates.measured(device);
}

AttentionCall square(double batch, double sequence, double heads, double head = 128) {
  AttentionCall shape;
  shape.batch = batch;
  shape.queries = shape.keys = sequence;
  shape.heads = shape.key_heads = heads;
  shape.head = shape.value_head = head;
  return shape;
}

// One processor of 1 TFLOP/s; two query tiles see 1 + 2 tiles of 4 x 128^2 x 128 FLOP, 8.388608 us each.
TEST(Attention, CountsTheVisibleTiles) {
  TrainingAttentionRates rates;
  rates.forward = FlopsPerSecond(1e12);
  rates.backward_rate = 1;
  const BytesPerSecond memory(1e30);
  const auto time = [&](const AttentionCall& shape, Direction direction = Direction::forward) {
    return training_attention_time(rates, nullptr, memory, 1, shape, direction).value() / 8.388608e-6;
  };
  AttentionCall shape = square(1, 256, 1);
  EXPECT_NEAR(time(shape), 3, 1e-9);
  EXPECT_NEAR(time(shape, Direction::backward), 7.5, 1e-9);
  shape.causal = false;
  EXPECT_NEAR(time(shape), 4, 1e-9);
  shape.keys = 512;  // 2 x 4 tiles; causal, the first query tile sees 3 of them and the second 4
  EXPECT_NEAR(time(shape), 8, 1e-9);
  shape.causal = true;
  EXPECT_NEAR(time(shape), 7, 1e-9);
  // 8 query tiles; a window of 128 keys touches two tiles of keys, the first query tile one: 1 + 7 x 2.
  AttentionCall sliding = square(1, 1024, 1);
  sliding.window = 128;
  EXPECT_NEAR(time(sliding), 15, 1e-9);
}

// 2 x 8192^2 x 4096 = 549.8 GFLOP for 32 heads of 128, causal.
TEST(Attention, WorkIsHalfTheSquareWhenCausal) {
  EXPECT_NEAR(attention_work(square(1, 8192, 32)).value(), 549.8e9, 0.2e9);
  AttentionCall whole = square(1, 8192, 32);
  whole.causal = false;
  EXPECT_NEAR(attention_work(whole).value(), 1099.5e9, 0.1e9);
}

TEST(Attention, IsNeverFasterThanItsRateOrItsMemory) {
  for (const char* device : {"a100_sxm", "h100_sxm", "b200_sxm", "gb200", "l40s"}) {
    const KernelRates& rates = rates_of(device);
    for (const double sequence : {16.0, 200.0, 1024.0, 16384.0})
      for (const double heads : {1.0, 8.0, 64.0}) {
        const AttentionCall shape = square(2, sequence, heads);
        const Seconds time = fused_attention_time(*rates.attention, rates.multiprocessors, shape);
        EXPECT_GE(time, attention_work(shape) / rates.attention->rate.at(128));
        EXPECT_GE(time, attention_bytes(shape) / rates.attention->memory);
        EXPECT_GE(
            fused_attention_time(*rates.attention, rates.multiprocessors, square(2, sequence, heads + 1)),
            time);
      }
  }
}

TEST(Attention, SharedKeyHeadsMoveLess) {
  const KernelRates& rates = rates_of("h100_sxm");
  AttentionCall shared = square(8, 512, 64);
  shared.key_heads = 8;
  EXPECT_LT(fused_attention_time(*rates.attention, 132, shared),
            fused_attention_time(*rates.attention, 132, square(8, 512, 64)));
}

// MooreThreads/SimuMax at 4dcaae5, B200: causal, s = 4096, 64 heads, 8 key heads of 128. Its FLOP count is
// the whole square, 2 s^2 h (128 + 128) = 549.8 GFLOP at 0.871523 (forward), 2.5 times that at 0.729401
// (backward) of 2.25 PFLOP/s: 280.4 us and 837.5 us. The rates leave 3 % in the median and 10 % at worst.
TEST(Attention, OfTrainingAgreesWithAPublishedTable) {
  const KernelRates& rates = rates_of("b200");
  AttentionCall shape = square(1, 4096, 64);
  shape.key_heads = 8;
  const TrainingAttentionRates& training = rates.training_attention.at("cudnn");
  const auto time = [&](Direction direction) {
    return training_attention_time(training, &*rates.attention, rates.gemm[3]->memory, 148, shape, direction)
        .value();
  };
  EXPECT_NEAR(time(Direction::forward), 280.4e-6, 0.05 * 280.4e-6);
  EXPECT_NEAR(time(Direction::backward), 837.5e-6, 0.1 * 837.5e-6);
}

// The scores of 32 heads, 4096^2 x 2 bytes each, are written and read by both products and the softmax.
TEST(Attention, UnfusedIsSlowerByTheTrafficOfTheScores) {
  const KernelRates& rates = rates_of("a100_sxm");
  const AttentionCall shape = square(1, 4096, 32);
  const Seconds fused = training_attention_time(rates.training_attention.begin()->second, nullptr,
                                                rates.gemm[3]->memory, 108, shape, Direction::forward);
  const Bytes scores(32 * 4096.0 * 4096 * 2);
  const auto unfused = [&](bool fused_softmax) {
    return unfused_attention_time(*rates.gemm[3], 108, shape, {fused_softmax, false}, Direction::forward);
  };
  EXPECT_GT(unfused(true), fused + scores * 3 / rates.gemm[3]->memory);
  // Eight passes instead of two.
  EXPECT_NEAR((unfused(false) - unfused(true)) / (scores * 6 / rates.gemm[3]->memory), 1, 1e-9);
}

ExpertCall layer(double tokens) {
  ExpertCall shape;
  shape.tokens = tokens;
  shape.hidden = 4096;
  shape.ffn = 1536;
  shape.top_k = 8;
  shape.experts = 128;
  return shape;
}

TEST(Experts, ReadEveryActiveExpertsWeights) {
  for (const char* device : {"a100_sxm", "h100_sxm", "h200_sxm", "b200_sxm", "gb200", "l40s"}) {
    const KernelRates& rates = rates_of(device);
    // 1024 tokens x 8 reach all 128 experts of 3 matrices.
    const Seconds time = expert_time(*rates.experts, rates.multiprocessors, layer(1024));
    EXPECT_GT(time, Bytes(2.0 * 3 * 4096 * 1536 * 128) / rates.experts->memory) << device;
    EXPECT_LT(time, expert_time(*rates.experts, rates.multiprocessors, layer(16384))) << device;
  }
}

// The hottest of 8 ranks gets 8^0.37 = 2.2 times the tokens.
TEST(Experts, ASkewedLoadIsSlower) {
  const KernelRates& rates = rates_of("b200");
  ExpertCall shape = layer(65536);
  shape.expert_parallel = 8;
  const Seconds balanced = expert_time(*rates.experts, 148, shape);
  shape.balance = ExpertBalance::power_law_1_01;
  EXPECT_GT(expert_time(*rates.experts, 148, shape), balanced * 1.3);
}

// Without a gate one matrix of three is missing.
TEST(Experts, WithoutAGateDoLess) {
  const KernelRates& rates = rates_of("h100_sxm");
  ExpertCall shape = layer(256);
  const Seconds gated = expert_time(*rates.experts, 132, shape);
  shape.gated = false;
  EXPECT_LT(expert_time(*rates.experts, 132, shape), gated);
}

}  // namespace
}  // namespace paceline
