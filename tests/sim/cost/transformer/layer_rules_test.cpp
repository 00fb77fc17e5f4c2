// What must hold of a layer whatever the constants: exchanges, recomputation, the host, shares of a rank.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/cost/transformer/layer_cases.h"

namespace paceline {
namespace {

using test::LayerBench;
using test::LayerCase;

double kernel_seconds(const Pass& pass) {
  double sum = 0;
  for (const PassStep& step : pass.steps)
    if (const auto* kernel = std::get_if<Kernel>(&step)) sum += kernel->time.value();
  return sum;
}

std::vector<Exchange> exchanges(const Pass& pass, GroupKind group = GroupKind::tensor) {
  std::vector<Exchange> list;
  for (const PassStep& step : pass.steps)
    if (const auto* exchange = std::get_if<Exchange>(&step); exchange && exchange->group == group)
      list.push_back(*exchange);
  return list;
}

LayerCase split_case(const std::string& framework) {
  LayerCase which = test::llama_case();
  which.framework = framework, which.tensor = 8;
  return which;
}

// 16,384 tokens x 4,096 x 2 bytes: two all-reduces in each direction.
TEST(TensorExchanges, WithoutSequenceParallelismAreFourAllReduces) {
  LayerBench bench(split_case("megatron-2021"));
  const Unit layer = bench.layer();
  for (const Pass* pass : {&layer.forward, &layer.backward}) {
    ASSERT_EQ(exchanges(*pass).size(), 2u);
    for (const Exchange& exchange : exchanges(*pass)) {
      EXPECT_EQ(exchange.kind, CollectiveKind::all_reduce);
      EXPECT_EQ(exchange.message, Bytes(16384.0 * 4096 * 2));
      EXPECT_EQ(exchange.factor, 1.09);
      EXPECT_EQ(exchange.cover.blocking, 1);
    }
  }
}

// The gathered inputs of qkv and up are not kept: backward has six.
TEST(TensorExchanges, WithSequenceParallelismAreFourForwardAndSixBackward) {
  const Unit layer = LayerBench(split_case("megatron-core")).layer();
  EXPECT_EQ(exchanges(layer.forward).size(), 4u);
  ASSERT_EQ(exchanges(layer.backward).size(), 6u);
  int hidden = 0;
  for (const Exchange& exchange : exchanges(layer.backward)) {
    EXPECT_EQ(exchange.message, Bytes(16384.0 * 4096 * 2));
    if (exchange.cover.beside == 1) ++hidden;
  }
  EXPECT_EQ(hidden, 4);
}

TEST(TensorExchanges, AreAllExposedWhereTheStrategyOverlapsNone) {
  LayerBench bench(split_case("megatron-core"));
  bench.strategy.parallel.tensor_overlap = false;
  for (const Exchange& exchange : exchanges(bench.layer().backward)) EXPECT_EQ(exchange.cover.blocking, 1);
}

TEST(TensorExchanges, InPiecesStayExposedByTheFrameworksShare) {
  LayerBench bench(split_case("torchtitan"));
  EXPECT_EQ(exchanges(bench.layer().forward).front().cover.blocking, 1);
  bench.strategy.parallel.tensor_overlap = true;
  const Unit layer = bench.layer();
  for (const Pass* pass : {&layer.forward, &layer.backward})
    for (const Exchange& exchange : exchanges(*pass)) EXPECT_EQ(exchange.cover.blocking, 0.36);
}

// 8 ranks: 7 steps. 16,384 / 8 tokens of 8 key heads and as many values, 128 elements, 2 bytes.
TEST(ContextRing, MovesKeysAndValuesOfTheOthers) {
  LayerCase which = test::llama_case();
  which.context = 8;
  const auto ring = exchanges(LayerBench(which).layer().forward, GroupKind::context);
  ASSERT_EQ(ring.size(), 1u);
  EXPECT_EQ(ring.front().message, Bytes(7.0 * 2048 * 2 * 8 * 128 * 2));
  EXPECT_EQ(ring.front().cover.covered, 7.0 / 8);
}

// Full recomputation is one forward with its exchanges; selective the core; half of torchtitan's products.
TEST(Recomputation, AddsWhatItsPolicyNames) {
  LayerBench bench(split_case("torchtitan"));
  const Unit plain = bench.layer();
  EXPECT_TRUE(plain.recompute.steps.empty());
  const auto parts = test::parts_of(plain.forward);
  bench.strategy.parallel.recompute = Recompute::full;
  EXPECT_DOUBLE_EQ(kernel_seconds(bench.layer().recompute), kernel_seconds(plain.forward));
  EXPECT_EQ(bench.layer().recompute.host, plain.forward.host);
  EXPECT_EQ(exchanges(bench.layer().recompute).size(), 4u);
  bench.strategy.parallel.recompute = Recompute::selective;
  EXPECT_NEAR(kernel_seconds(bench.layer().recompute) * 1e3, parts.attention, 1e-9);
  bench.strategy.parallel.recompute = Recompute::operators;
  EXPECT_NEAR(kernel_seconds(bench.layer().recompute) * 1e3, parts.products / 2 + parts.element_wise, 1e-9);
  EXPECT_DOUBLE_EQ(kernel_seconds(bench.layer().backward), kernel_seconds(plain.backward));
}

// (20 + 3) operators x 47 us, backward 1.3 of it, whatever the micro-batch; a graph leaves a tenth.
TEST(Host, LaunchesALayerInTheSameTimeForEveryMicroBatch) {
  LayerCase which = split_case("megatron-deepspeed-2021");
  which.device = "a100-sxm4-80gb";
  for (const double samples : {1.0, 4.0}) {
    which.micro_batch = samples;
    const Unit layer = LayerBench(which).layer();
    EXPECT_NEAR(layer.forward.host.value(), 23 * 47e-6, 1e-12);
    EXPECT_NEAR(layer.backward.host.value(), 1.3 * 23 * 47e-6, 1e-12);
  }
  LayerBench graph(which);
  graph.strategy.parallel.graph_scope = GraphScope::full;
  EXPECT_NEAR(graph.layer().forward.host.value(), 2.3 * 47e-6, 1e-12);
}

// Llama 3 8B: qkv 4096 x 6144, projection 4096^2, three matrices of 14336 x 4096, two norms.
TEST(RankShare, OfParametersIsATensorPartWithWholeNorms) {
  const double products = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 14336.0 * 4096;
  const Unit layer = LayerBench(split_case("megatron-core")).layer();
  EXPECT_EQ(layer.dense_parameters, products / 8 + 2 * 4096);
}

// 34 s b h bytes with a fused core (Korthikanti et al. 2022), divided by 8 with sequence parallelism.
TEST(RankShare, OfKeptActivationsIsNearThePublishedCount) {
  LayerCase which;
  which.framework = "megatron-2022", which.device = "a100-sxm4-80gb";
  which.hidden = 12288, which.heads = 96, which.feed_forward = 49152, which.sequence = 2048;
  which.tensor = 8;
  LayerBench bench(which);
  bench.framework.transformer->attention.kernel = "flash-attention-2";
  const double published = 34.0 * 2048 * 12288 / 8;
  EXPECT_NEAR(bench.layer().kept.value(), published, 0.1 * published);
  EXPECT_EQ(bench.layer().input, Bytes(2.0 * 2048 * 12288 / 8));
}

// A step's FLOP are counted as Megatron does: GPT-3's 2.174868e15 a sample are forward and backward.
TEST(ModelFlops, AreMegatronsCount) {
  LayerCase which;
  which.framework = "megatron-2022", which.device = "a100-sxm4-80gb";
  which.hidden = 12288, which.heads = 96, which.feed_forward = 49152, which.sequence = 2048;
  const double head = 2.0 * 2048 * 12288 * 51200;
  const double layers = LayerBench(which).work().model_flops.value() - head;
  EXPECT_NEAR(3 * (layers * 96 / 4 + head), 2.174868e15, 1e10);
}

RC_GTEST_PROP(LayerProperty, MoreClockNeverSlowsAndMoreSamplesNeverSpeed, ()) {
  LayerCase which = test::llama_case();
  which.framework =
      *rc::gen::element<std::string>("torchtitan", "megatron-core", "megatron-2021", "deepspeed");
  which.device = *rc::gen::element<std::string>("h100-sxm5-80gb", "a100-sxm4-80gb", "b200");
  which.tensor = *rc::gen::element(1, 2, 4, 8);
  which.sequence = *rc::gen::element(1024, 4096);
  which.micro_batch = *rc::gen::inRange(1, 5);
  which.clock = *rc::gen::inRange(50, 95) / 100.0;
  const Unit slow = LayerBench(which).layer();
  which.clock += 0.05;
  const Unit fast = LayerBench(which).layer();
  RC_ASSERT(kernel_seconds(fast.forward) <= kernel_seconds(slow.forward));
  RC_ASSERT(kernel_seconds(fast.backward) <= kernel_seconds(slow.backward));
  which.micro_batch *= 2;
  const Unit twice = LayerBench(which).layer();
  RC_ASSERT(kernel_seconds(twice.forward) >= kernel_seconds(fast.forward));
  RC_ASSERT(fast.weight_backward > 0.1 && fast.weight_backward < 0.6);
}

}  // namespace
}  // namespace paceline
