// Head with loss, embedding and the optimizer step, against figures that were worked out for published
// configurations.
#include <gtest/gtest.h>

#include "sim/model/builders.h"
#include "tests/sim/cost/transformer/layer_cases.h"

namespace paceline {
namespace {

using test::LayerBench;
using test::LayerCase;

double milliseconds_of(const Pass& pass) {
  const test::PartTimes parts = test::parts_of(pass);
  return parts.products + parts.attention + parts.element_wise;
}

LayerCase gpt(const std::string& framework, const std::string& device, std::int64_t hidden,
              std::int64_t heads, std::int64_t sequence, double micro_batch) {
  LayerCase which;
  which.framework = framework;
  which.device = device;
  which.hidden = hidden, which.heads = heads, which.feed_forward = 4 * hidden;
  which.sequence = sequence;
  which.micro_batch = micro_batch;
  return which;
}

struct HeadCase {
  LayerCase layer;
  double forward, backward;  // ms
};

std::vector<HeadCase> heads() {
  std::vector<HeadCase> list;
  LayerCase libai = gpt("libai", "v100-sxm2-32gb", 1024, 16, 1024, 32);
  libai.precision = Precision::fp16;
  libai.vocabulary = 50257;
  list.push_back({libai, 77, 107});
  LayerCase mpt = gpt("llm-foundry", "a100-sxm4-40gb", 4096, 32, 2048, 18);
  mpt.vocabulary = 50368;
  list.push_back({mpt, 94, 154});
  list.push_back({test::llama_case(), 44, 75});
  LayerCase large = test::llama_case();
  large.framework = "megatron-core", large.device = "b200", large.clock = 0.65;
  large.hidden = 16384, large.heads = 128, large.feed_forward = 53248, large.sequence = 4096;
  large.micro_batch = 1;
  list.push_back({large, 17.8, 34.9});
  LayerCase split = large;
  split.hidden = 8192, split.heads = 64, split.feed_forward = 28672, split.tensor = 2;
  list.push_back({split, 4.9, 9.2});
  return list;
}

TEST(Head, TakesWhatItsProductsAndItsLossTake) {
  for (const HeadCase& which : heads()) {
    const Unit head = LayerBench(which.layer).work().units.back();
    const std::string name = which.layer.framework + " of hidden " + std::to_string(which.layer.hidden);
    EXPECT_NEAR(milliseconds_of(head.forward), which.forward, 0.03 * which.forward + 0.05) << name;
    EXPECT_NEAR(milliseconds_of(head.backward), which.backward, 0.03 * which.backward + 0.05) << name;
  }
}

// Two steps of megatron-core: 46 bytes of 2.12e9 parameters of a shard and 6 of the 8.48e9 that the rank
// holds, at 5.99 TB/s with a factor of 1.11, and 0.3 ms.
//   (46 x 2.12e9 + 6 x 8.48e9) 1.11 / 5.99e12 + 0.3e-3 = 27.8 ms
TEST(OptimizerStep, MovesItsShardAndLooksAtWhatTheRankHolds) {
  LayerCase which = test::llama_case();
  which.framework = "megatron-core", which.device = "b200";
  LayerBench bench(which);
  bench.strategy.kind = StrategyKind::zero;
  bench.strategy.parallel.zero_stage = 1;
  EXPECT_NEAR(bench.optimizer(2.12e9, 8.48e9).value(), 27.8e-3, 0.1e-3);
}

// Unsharded Adam of LiBai: (40 + 4 + 8) bytes of 355e6 parameters at 0.75 TB/s x 1.13, and 2.5 ms.
TEST(OptimizerStep, OfUnshardedStatesUnscalesAllGradients) {
  LayerCase which = gpt("libai", "v100-sxm2-16gb", 1024, 16, 1024, 32);
  which.precision = Precision::fp16;
  EXPECT_NEAR(LayerBench(which).optimizer(355e6, 355e6).value(), 52 * 355e6 * 1.13 / 0.75e12 + 2.5e-3, 1e-5);
}

// Eight micro-batches of 355e6 gradients, 6 bytes each: 26 ms on a V100, whose memory reaches 0.75 TB/s.
TEST(Accumulation, MovesItsBytesByTheFrameworksFactor) {
  LayerCase which = gpt("libai", "v100-sxm2-16gb", 1024, 16, 1024, 32);
  which.precision = Precision::fp16;
  EXPECT_NEAR(LayerBench(which).streaming(Bytes(8.0 * 6 * 355e6)).value(), 25.7e-3, 0.1e-3);
}

// FSDP: 80 bytes of the shard and 5.5 ms.
// Adam's two states are read and written, 16 bytes a parameter that plain SGD does not move: 28 B against 12.
TEST(OptimizerStep, OfAnotherOptimizerMovesWhatItsKernelsDo) {
  LayerCase which = test::llama_case();
  which.framework = "megatron-core", which.device = "a100-sxm4-80gb";
  LayerBench bench(which);
  const Seconds adam = bench.optimizer(1e9, 1e9);
  bench.strategy.optimizer = Optimizer::sgd;
  const Seconds less = bench.streaming(Bytes(16e9));
  EXPECT_NEAR((adam - bench.optimizer(1e9, 1e9)).value(), less.value(), 1e-12);
}

TEST(OptimizerStep, OfFullyShardedParametersKnowsOnlyTheShard) {
  LayerBench bench(gpt("llm-foundry", "h100-sxm5-80gb", 2560, 20, 2048, 3));
  bench.strategy.kind = StrategyKind::fully_sharded;
  EXPECT_NEAR(bench.optimizer(341e6, 341e6).value(), 80 * 341e6 * 1.31 / 2.817e12 + 5.5e-3, 1e-5);
}

// BERT predicts its masked positions only: 20 of 128, so its head is small beside that of all positions.
TEST(Head, OfAnEncoderSeesMaskedPositions) {
  BertSpec spec;
  spec.layers = 2;
  spec.sequence = 128;
  spec.vocabulary = 30522;
  LayerBench bench(gpt("megatron-core", "h100-sxm5-80gb", 768, 12, 128, 64));
  bench.model = build_bert(spec);
  const TransformerWork work = bench.work();
  ASSERT_EQ(work.units.size(), 3u);
  EXPECT_EQ(work.units[1].alike, 2);
  double logits = 0;
  for (const PassStep& step : work.units.back().forward.steps)
    if (const auto* kernel = std::get_if<Kernel>(&step); kernel && kernel->name == "logits")
      logits = kernel->work.value();
  EXPECT_EQ(logits, 2.0 * 64 * 20 * 768 * 30592);  // 30,522 words padded to a multiple of 128
}

}  // namespace
}  // namespace paceline
