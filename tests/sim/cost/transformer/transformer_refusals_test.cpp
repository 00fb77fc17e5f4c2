// What a request is refused for, with the arithmetic.
#include <gtest/gtest.h>

#include "sim/model/builders.h"
#include "tests/sim/cost/transformer/layer_cases.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::LayerBench;
using test::LayerCase;
using test::refusal;

std::string refused(const LayerBench& bench) {
  return refusal([&] { return bench.work().units.size(); });
}

TEST(TransformerRefusals, NameTheHeadsThatRemain) {
  LayerCase which = test::llama_case();
  which.tensor = 3;
  EXPECT_EQ(
      refused(LayerBench(which)),
      "tensor: found 32 heads over 3 ranks: 2 remain, expected a divisor of the 32 heads; choose another "
      "degree");
}

TEST(TransformerRefusals, NameTheTokensThatRemain) {
  LayerCase which = test::llama_case();
  which.context = 3;
  EXPECT_EQ(
      refused(LayerBench(which)),
      "context: found 8192 tokens over 3 ranks: 2 remain, expected a divisor of the 8192 tokens; choose "
      "another degree");
}

TEST(TransformerRefusals, AskForATransformer) {
  LayerBench bench(test::llama_case());
  bench.model = build_vgg({{1, 1}, 224, 1000});
  bench.model.title = "VGG";
  EXPECT_EQ(
      refused(bench),
      "model: found VGG, expected a transformer, made of layers with attention; choose another model, or a "
      "strategy that does not split it");
}

TEST(TransformerRefusals, AskForAFrameworkThatIsKnown) {
  LayerBench bench(test::llama_case());
  bench.framework.transformer.reset();
  EXPECT_EQ(refused(bench),
            "framework: found torchtitan, compiled, expected one whose transformers are known; choose "
            "\"megatron-core\", \"torchtitan\" or \"pytorch\"");
}

TEST(TransformerRefusals, AskForProductsThatTheDeviceHas) {
  LayerCase which = test::llama_case();
  which.device = "a100-sxm4-80gb";
  which.fp8 = Fp8Recipe::tensor;
  EXPECT_EQ(
      refused(LayerBench(which)),
      "precision: found fp8, expected a number format in which matrix products of NVIDIA A100 SXM4 80 GB "
      "were measured; choose another precision, or measure the device with paceline-probe");
}

}  // namespace
}  // namespace paceline
