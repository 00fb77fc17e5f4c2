// What holds for decoders of any shape.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "sim/model/activation_memory.h"
#include "sim/model/transformer_spec.h"

namespace paceline {
namespace {

DecoderSpec any_decoder() {
  DecoderSpec spec;
  spec.layers = *rc::gen::inRange<std::int64_t>(1, 5);
  spec.vocabulary = *rc::gen::inRange<std::int64_t>(10, 1000);
  spec.positions = 4096;
  spec.sequence = *rc::gen::inRange<std::int64_t>(1, 512);
  spec.tied = *rc::gen::arbitrary<bool>();
  BlockSpec& block = spec.block;
  block.norm = *rc::gen::element(NormKind::layer, NormKind::rms);
  block.norm_bias = *rc::gen::arbitrary<bool>();
  block.dropout = block.attention.dropout = *rc::gen::arbitrary<bool>();
  block.parallel = *rc::gen::arbitrary<bool>();
  AttentionSpec& attention = block.attention;
  attention.key_value_heads = *rc::gen::inRange<std::int64_t>(1, 5);
  attention.heads = attention.key_value_heads * *rc::gen::inRange<std::int64_t>(1, 5);
  attention.head_size = *rc::gen::inRange<std::int64_t>(1, 65);
  attention.bias = *rc::gen::arbitrary<bool>();
  attention.head_norm = *rc::gen::arbitrary<bool>();
  attention.fused = *rc::gen::arbitrary<bool>();
  block.hidden = *rc::gen::inRange<std::int64_t>(1, 257);
  block.feed_forward = {*rc::gen::inRange<std::int64_t>(1, 513), *rc::gen::arbitrary<bool>(),
                        *rc::gen::arbitrary<bool>()};
  if (*rc::gen::arbitrary<bool>()) {
    ExpertSpec experts;
    experts.experts = *rc::gen::inRange<std::int64_t>(1, 17);
    experts.chosen = *rc::gen::inRange<std::int64_t>(1, experts.experts + 1);
    experts.width = *rc::gen::inRange<std::int64_t>(1, 129);
    experts.shared_width = *rc::gen::inRange<std::int64_t>(0, 65);
    block.experts = experts;
  }
  return spec;
}

TEST(DecoderProperties, ParametersAreTheSumOverTheLayers) {
  EXPECT_TRUE(rc::check([] {
    const Model model = build_decoder(any_decoder());
    std::int64_t sum = 0;
    std::vector<int> makers(model.parameters.size());
    for (const Layer& layer : model.layers)
      for (const std::size_t parameter : layer.parameters) {
        sum += model.parameters[parameter].elements;
        ++makers[parameter];
      }
    RC_ASSERT(sum == model.parameter_count());
    for (const int count : makers) RC_ASSERT(count == 1);
  }));
}

TEST(DecoderProperties, ATiedHeadIsTheEmbeddingCountedOnce) {
  EXPECT_TRUE(rc::check([] {
    DecoderSpec spec = any_decoder();
    spec.tied = true;
    const Model tied = build_decoder(spec);
    spec.tied = false;
    const Model own = build_decoder(spec);
    RC_ASSERT(own.parameter_count() - tied.parameter_count() == spec.vocabulary * spec.block.hidden);
    RC_ASSERT(own.forward_multiply_adds() == tied.forward_multiply_adds());
  }));
}

// Twice the tokens: all products of weights twice, attention four times.
TEST(DecoderProperties, WorkGrowsWithTheSequenceAndAttentionWithItsSquare) {
  EXPECT_TRUE(rc::check([] {
    DecoderSpec spec = any_decoder();
    const Model shorter = build_decoder(spec);
    spec.sequence *= 2;
    const Model longer = build_decoder(spec);
    RC_ASSERT(longer.layers.size() == shorter.layers.size());
    for (std::size_t index = 0; index < shorter.layers.size(); ++index) {
      const double factor = std::holds_alternative<BatchedGemm>(shorter.layers[index].work) ? 4 : 2;
      RC_ASSERT(multiply_adds(longer.layers[index]) == factor * multiply_adds(shorter.layers[index]));
    }
    RC_ASSERT(longer.parameter_count() == shorter.parameter_count());
  }));
}

TEST(DecoderProperties, ATokenSeesAsManyExpertsAsItChooses) {
  EXPECT_TRUE(rc::check([] {
    DecoderSpec spec = any_decoder();
    spec.block.experts = ExpertSpec{8, 2, 16};
    const Model model = build_decoder(spec);
    const auto idle = static_cast<double>(spec.layers * 6 * 3 * 16 * spec.block.hidden);
    RC_ASSERT(static_cast<double>(model.parameter_count()) - model.active_parameter_count() == idle);
  }));
}

TEST(DecoderProperties, RecomputationNeverKeepsMore) {
  EXPECT_TRUE(rc::check([] {
    const Model model = build_decoder(any_decoder());
    const Bytes half(2);
    for (const KeptAttention kernel : {KeptAttention::eager, KeptAttention::fused}) {
      const Bytes whole = saved_per_sample(model, half, kernel);
      RC_ASSERT(saved_per_sample(model, half, KeptAttention::recomputed) <= whole);
      const auto blocks = static_cast<double>(model.blocks.size());
      const auto stream = static_cast<double>(model.sequence * model.blocks.front().hidden);
      RC_ASSERT(saved_with_blocks_recomputed(model, half, kernel) <= whole + blocks * stream * half);
    }
  }));
}

}  // namespace
}  // namespace paceline
