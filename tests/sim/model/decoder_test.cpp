// Decoders of the catalog: work, kept activations, blocks.
#include <gtest/gtest.h>

#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

// llm-foundry sizes its table of positions by the sequence: 50,368 and 512 or 65,536 rows of 768, 12 layers
// of 12 h^2 + 13 h, a norm.
TEST(Mpt, LearnsAPositionForEachTokenOfItsSequence) {
  for (const std::int64_t sequence : {512, 65536})
    EXPECT_EQ(source_model("mpt-125m", {.sequence = sequence}).parameter_count(),
              (50368 + sequence) * 768 + 12 * (12 * 768 * 768 + 13 * 768) + 2 * 768);
}

// Model cards, billions: Mixtral 12.9 of 46.7, DeepSeek-V2 21 of 236, V3 37 of 671, Qwen3 3.3 of 30.5 and 22
// of 235, gpt-oss 3.6 of 20.9 and 5.1 of 116.8 (those two without the embedding).
TEST(Mixtures, HaveTheActiveParametersOfTheirNames) {
  const auto active = [](const char* name) { return source_model(name).active_parameter_count() / 1e9; };
  EXPECT_NEAR(active("mixtral-8x7b"), 12.9, 0.05);
  EXPECT_NEAR(active("deepseek-v2"), 21, 0.5);
  EXPECT_NEAR(active("deepseek-v3"), 37, 0.6);
  EXPECT_NEAR(active("qwen3-30b-a3b"), 3.3, 0.06);
  EXPECT_NEAR(active("qwen3-235b-a22b"), 22, 0.25);
  EXPECT_NEAR(active("gpt-oss-20b"), 3.6 + 201088 * 2880 / 1e9, 0.05);
  EXPECT_NEAR(active("gpt-oss-120b"), 5.1 + 201088 * 2880 / 1e9, 0.05);
}

// A dense net's forward is one multiply-add for each parameter and token, without look-ups, norms and biases,
// plus 2 s^2 (score and value sizes x heads) / 2 a layer when counted whole as here.
TEST(Decoders, DoTheWorkOfTheirParametersAndOfTheirScores) {
  // Llama 3 8B: 8,030,261,248 - embedding 128,256 x 4096 - 65 norms of 4096; 32 layers of 2 x 4096 x s^2.
  const Model model = source_model("llama3-8b", {.sequence = 2048});
  const double weights = 8030261248.0 - 128256.0 * 4096 - 65 * 4096;
  EXPECT_DOUBLE_EQ(model.forward_multiply_adds(), 2048 * weights + 32 * 2.0 * 4096 * 2048 * 2048);
}

TEST(Mixtures, DoTheWorkOfTheirActiveParameters) {
  // Mixtral: the active ones without embedding and 65 norms, and the scores of 32 layers.
  const Model model = source_model("mixtral-8x7b", {.sequence = 1024});
  const double weights = model.active_parameter_count() - 32000.0 * 4096 - 65 * 4096;
  EXPECT_DOUBLE_EQ(model.forward_multiply_adds(), 1024 * weights + 32 * 2.0 * 4096 * 1024 * 1024);
}

double half_precision_bytes(const Model& model, const Block& block, LayerKind but) {
  double sum = 0;
  for (std::size_t index = block.first_layer; index < block.end_layer; ++index) {
    const Layer& layer = model.layers[index];
    if (kind_of(layer) != but) sum += 2 * layer.saved_elements + layer.saved_bytes;
  }
  return sum;
}

// Latent attention: 4 h + 4 q_rank + 4 kv_rank + a (4 d_qk + 4 d_v + 4) = 201,216 bytes a token for V3's
// sizes. One dense layer adds a norm's input and output 4 h and 6 f of the gate, and 4 bytes for each of four
// norms.
TEST(DeepSeekV3, ADenseLayerKeepsWhatLatentAttentionAndItsGateKeep) {
  const Model model = source_model("deepseek-v3", {.sequence = 1});
  EXPECT_EQ(half_precision_bytes(model, model.blocks.front(), LayerKind::loss),
            201216 + 4 * 7168 + 6 * 18432 + 4 * 4);
}

// A layer with experts keeps instead, a token: 2 h for each of 8 chosen experts' input, 4 f + 2 f of each,
// the shared expert's 6 f, and 8 bytes for each logit and chosen pair.
TEST(DeepSeekV3, ALayerWithExpertsKeepsTheRowsOfItsPairs) {
  const Model model = source_model("deepseek-v3", {.sequence = 1});
  EXPECT_EQ(half_precision_bytes(model, model.blocks.back(), LayerKind::loss),
            201216 + 4 * 7168 + 8 * (2 * 7168 + 6 * 2048) + 6 * 2048 + 8 * (256 + 8) + 4 * 4);
}

// 685 B with the head and embedding that the extra block has a copy of: 14 B, of which 2 x 129,280 x 7168 are
// copies.
TEST(DeepSeekV3, PredictsAFurtherTokenWithABlockOfItsOwn) {
  const double more = static_cast<double>(source_model("deepseek-v3-mtp").parameter_count() -
                                          source_model("deepseek-v3").parameter_count());
  EXPECT_NEAR(more / 1e9, 14 - 2 * 129280 * 7168 / 1e9, 0.7);
}

TEST(Blocks, CoverEveryLayerBetweenEmbeddingAndHead) {
  for (const char* name : {"gpt2", "bert-base", "llama3-8b", "gpt-oss-20b", "opt-350m", "deepseek-v2-lite"}) {
    const Model model = source_model(name);
    ASSERT_FALSE(model.blocks.empty()) << name;
    EXPECT_EQ(kind_of(model.layers.front()), LayerKind::embedding) << name;
    for (std::size_t index = 1; index < model.blocks.size(); ++index)
      EXPECT_EQ(model.blocks[index].first_layer, model.blocks[index - 1].end_layer) << name;
    EXPECT_LT(model.blocks.back().end_layer, model.layers.size()) << name;
  }
}

// Tensor parallelism divides what has weights but norms and routers, and what works on heads.
TEST(Blocks, SayHowEveryProductOfALayerDivides) {
  const Model model = source_model("qwen3-30b-a3b");
  for (const Layer& layer : model.layers) {
    const bool router = layer.name.ends_with(".router");
    const LayerKind kind = kind_of(layer);
    if (kind == LayerKind::linear) {
      EXPECT_EQ(layer.split == Split::none, router) << layer.name;
    } else if (kind == LayerKind::attention) {
      EXPECT_EQ(layer.split, Split::heads) << layer.name;
    } else if (kind == LayerKind::experts) {
      EXPECT_EQ(layer.split, Split::experts) << layer.name;
    }
  }
}

TEST(Blocks, HaveTheShapesOfTheirAttention) {
  const Model model = source_model("gpt-oss-20b", {.sequence = 512});
  ASSERT_EQ(model.blocks.size(), 24U);
  EXPECT_EQ(model.blocks[0].attention.front().window, 128);
  EXPECT_EQ(model.blocks[1].attention.front().window, 0);
  EXPECT_EQ(model.blocks[0].attention.front().key_value_heads, 8);
  EXPECT_EQ(model.blocks[0].experts->chosen, 4);
  EXPECT_FALSE(model.tied_head);
}

// A window of 128 of 512 positions: rows see 1 to 128, then 128 keys: 128 x 512 - 128^2 / 2 of 512^2.
TEST(VisibleShare, IsThatOfTheTrapezeBelowTheDiagonal) {
  BatchedGemm scores{1, 512, 512, 64, true, true, 128};
  EXPECT_DOUBLE_EQ(scores.visible_share(), (128.0 * 512 - 128 * 128 / 2.0) / (512 * 512));
  scores.window = 0;
  EXPECT_DOUBLE_EQ(scores.visible_share(), 0.5);
  scores.causal = false;
  EXPECT_DOUBLE_EQ(scores.visible_share(), 1);
}

}  // namespace
}  // namespace paceline
