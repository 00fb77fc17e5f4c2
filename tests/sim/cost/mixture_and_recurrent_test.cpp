// Products of a mixture's experts and of recurrent steps.
#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

const test::Step& a100() {
  static const test::Step step({.model = "resnet18", .cluster = "dgx-a100-80", .precision = Precision::fp16});
  return step;
}

double milliseconds(const Layer& layer, double batch) {
  return 1e3 * total_time(a100().kernels().forward(layer, batch)).value();
}
Layer layer_of(decltype(Layer::work) work) {
  Layer layer;
  layer.name = "layer";
  layer.work = std::move(work);
  return layer;
}

// 128 experts of 2048 x 1536 in 16 bit are 805 MB, read at not more than 2.04 TB/s: 0.39 ms, however few the
// tokens.
TEST(Experts, ReadAllTheirWeightsForFewTokens) {
  const double time = milliseconds(layer_of(ExpertLinear{256, 128, 2048, 1536}), 1);
  EXPECT_GT(time, 128.0 * 2048 * 1536 * 2 / 2.04e12 * 1e3);
  EXPECT_LT(time, 2 * 128.0 * 2048 * 1536 * 2 / 2.04e12 * 1e3);
}

// With many rows for each expert the work is that of one linear layer with as many rows, but for whole tiles
// and its waves.
TEST(Experts, WithManyTokensTakeTheTimeOfOneLinearLayer) {
  const double grouped = milliseconds(layer_of(ExpertLinear{65536, 8, 4096, 14336}), 1);
  const double single = milliseconds(layer_of(Linear{65536, 4096, 14336}), 1);
  EXPECT_NEAR(grouped / single, 1, 0.1);
}

// Backward: gradients of the input and of the weight, each the forward's work.
TEST(Experts, DoTwiceTheWorkBackward) {
  const Layer layer = layer_of(ExpertLinear{1024, 8, 512, 256});
  const LayerCost cost = a100().kernels().backward(layer, 4);
  ASSERT_EQ(cost.kernels.size(), 2U);
  for (const Kernel& kernel : cost.kernels) EXPECT_EQ(kernel.work.value(), 2.0 * 4 * 1024 * 512 * 256);
}

// Steps follow one another: twice as many take twice as long, in both directions too.
TEST(RecurrentSteps, TakeTheirTimeOneAfterTheOther) {
  const double once = milliseconds(layer_of(Recurrent{50, 1024, 4, 1}), 64);
  EXPECT_NEAR(milliseconds(layer_of(Recurrent{100, 1024, 4, 1}), 64), 2 * once, 1e-9);
  EXPECT_NEAR(milliseconds(layer_of(Recurrent{50, 1024, 4, 2}), 64), 2 * once, 1e-9);
  const double product = milliseconds(layer_of(Linear{1, 1024, 4096}), 64);
  EXPECT_NEAR(once, 50 * product, 1e-9);
}

}  // namespace
}  // namespace paceline
