// The model of a published row: from the catalog, or built from the sizes that the row states.
#include "sim/study/published_model.h"

#include <gtest/gtest.h>

#include "sim/model/model_recipe.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

struct Filled {
  Scenario scenario;
  std::optional<PublishedModel> built;
  std::string why_not;

  [[nodiscard]] Model model() const { return built->recipe->build(built->recipe->resolve({})); }
};

Filled fill(const std::string& model, const std::string& flags = "[]") {
  Filled filled;
  const JsonValue row =
      JsonValue::parse_text(R"({"model": {)" + model + R"(}, "flags": )" + flags + "}", "row.json");
  filled.why_not = fill_published_model(test::source_catalog(), row, filled.scenario, filled.built);
  return filled;
}

TEST(PublishedModels, AreThoseOfTheCatalogWithTheRowsInput) {
  const Filled filled = fill(R"("name": "mpt-7b", "family": "gpt", "seq": 8192, "vocab": 50368)");
  EXPECT_EQ(filled.why_not, "");
  EXPECT_FALSE(filled.built);
  EXPECT_EQ(filled.scenario.model, "mpt-7b");
  EXPECT_EQ(filled.scenario.input.sequence, 8192);
  EXPECT_EQ(filled.scenario.input.vocabulary, 50368);
}

TEST(PublishedModels, PredictFurtherTokensUnlessTheRowSaysOtherwise) {
  EXPECT_EQ(fill(R"("name": "deepseek-v3", "family": "moe")").scenario.model, "deepseek-v3-mtp");
  EXPECT_EQ(fill(R"("name": "deepseek-v3", "family": "moe")", R"(["moe:w/o MTP"])").scenario.model,
            "deepseek-v3");
}

// One layer of a GPT: 12 h^2 weights, 9 h biases (3 h of queries, keys, values, h of the projection, 4 h and
// h of the feed-forward part), two norms of 2 h; besides V h, s h and a last norm of 2 h.
TEST(PublishedModels, AreBuiltFromTheRowsSizes) {
  const Filled filled = fill(
      R"("name": "gpt-x", "family": "gpt", "layers": 3, "hidden": 256, "heads": 8, "seq": 128, "vocab": 1000)");
  ASSERT_EQ(filled.why_not, "");
  ASSERT_TRUE(filled.built);
  EXPECT_EQ(filled.scenario.model, filled.built->name);
  const std::int64_t h = 256;
  EXPECT_EQ(filled.model().parameter_count(), 3 * (12 * h * h + 13 * h) + 1000 * h + 128 * h + 2 * h);
}

// Llama: 2 h^2 + 2 h^2 / 4 of attention with a quarter of the key heads, 3 h F, two norms of h; V h twice.
TEST(PublishedModels, OfTheLlamaFamilyHaveGatesAndNoBiases) {
  const Filled filled = fill(R"("name": "llama-x", "family": "llama", "layers": 2, "hidden": 256, "heads": 8,
      "kv_heads": 2, "ffn": 512, "seq": 128, "vocab": 1000)");
  ASSERT_EQ(filled.why_not, "");
  const std::int64_t h = 256, f = 512;
  EXPECT_EQ(filled.model().parameter_count(),
            2 * (2 * h * h + h * h / 2 + 3 * h * f + 2 * h) + 2 * 1000 * h + h);
}

// A router of h E and E experts of 3 h F in place of the feed-forward part.
TEST(PublishedModels, OfMixturesHaveTheirExperts) {
  const Filled filled = fill(R"("name": "moe-x", "family": "moe", "layers": 2, "hidden": 256, "heads": 8,
      "experts": 4, "topk": 2, "moe_ffn": 64, "seq": 128, "vocab": 1000)");
  ASSERT_EQ(filled.why_not, "");
  const std::int64_t h = 256, f = 64;
  EXPECT_EQ(filled.model().parameter_count(),
            2 * (4 * h * h + 4 * h + 4 * 3 * h * f + 2 * h) + 2 * 1000 * h + h);
}

// The catalog's has 112 heads; publications varied them under one name.
TEST(PublishedModels, WithOtherHeadsThanTheCatalogsAreTheRows) {
  const char* sizes =
      R"("name": "gpt-72L-h14336", "family": "gpt", "layers": 72, "hidden": 14336, "seq": 2048,
      "vocab": 250880, "heads": )";
  EXPECT_FALSE(fill(sizes + std::string("112")).built);
  const Filled other = fill(sizes + std::string("64"));
  ASSERT_TRUE(other.built);
  EXPECT_EQ(other.model().blocks.front().attention.front().heads, 64);
}

TEST(PublishedModels, OfFewerLayersThanTheCatalogsAreTheRows) {
  const Filled cut =
      fill(R"("name": "llama3-70b", "family": "llama", "layers": 12, "hidden": 8192, "heads": 64,
      "kv_heads": 8, "ffn": 28672, "seq": 4096, "vocab": 128256)");
  ASSERT_TRUE(cut.built);
  EXPECT_EQ(cut.model().blocks.size(), 12U);
}

TEST(PublishedModels, OfEqualSizesHaveEqualNames) {
  const DecoderSpec spec = megatron_gpt(24, 1024, 16, 4096, 50257, 1024);
  EXPECT_EQ(published_decoder(spec).name,
            "decoder 24x1024, 16 heads of 64 to 16, 4096 wide, 50257 words, 1024 tokens");
  EXPECT_EQ(published_decoder(spec).name,
            published_decoder(megatron_gpt(24, 1024, 16, 4096, 50257, 1024)).name);
  EXPECT_NE(published_decoder(spec).name,
            published_decoder(megatron_gpt(24, 1024, 8, 4096, 50257, 1024)).name);
}

TEST(PublishedModels, SayWhyTheyCannotBeBuilt) {
  EXPECT_EQ(fill(R"("name": "nemotron-x", "family": "hybrid-mamba-moe")").why_not,
            "layers without attention (model \"nemotron-x\") are not modelled");
  EXPECT_EQ(fill(R"("name": "amoebanet-d", "family": "cnn")").why_not,
            "model \"amoebanet-d\" is not in the catalog");
  const std::string gpt = R"("name": "gpt-x", "family": "gpt")";
  const std::string missing = "model \"gpt-x\" is not in the catalog, and the row does not state ";
  EXPECT_EQ(fill(gpt).why_not, missing + "layers");
  EXPECT_EQ(fill(gpt + R"(, "layers": 2)").why_not, missing + "hidden");
  EXPECT_EQ(fill(gpt + R"(, "layers": 2, "hidden": 64)").why_not, missing + "heads");
  EXPECT_EQ(fill(gpt + R"(, "layers": 2, "hidden": 64, "heads": 4)").why_not, missing + "vocab");
  EXPECT_EQ(fill(gpt + R"(, "layers": 2, "hidden": 64, "heads": 4, "vocab": 9)").why_not, missing + "seq");
  EXPECT_EQ(fill(gpt + R"(, "layers": 2, "hidden": 64, "heads": 5, "vocab": 9, "seq": 8)").why_not,
            missing + "hidden as a multiple of heads");
  EXPECT_EQ(
      fill(gpt + R"(, "layers": 2, "hidden": 64, "heads": 4, "kv_heads": 3, "vocab": 9, "seq": 8)").why_not,
      missing + "kv_heads as a divisor of heads");
  EXPECT_EQ(fill(R"("name": "llama-x", "family": "llama", "layers": 2, "hidden": 64, "heads": 4, "vocab": 9,
      "seq": 8)")
                .why_not,
            "model \"llama-x\" is not in the catalog, and the row does not state ffn");
}

}  // namespace
}  // namespace paceline
