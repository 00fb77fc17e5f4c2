// What publishers set for a model on a device.
#include "sim/study/recipes.h"

#include <gtest/gtest.h>

#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using test::refusal;

const RecipeCatalog& shipped() { return test::source_catalog().recipes; }

Strategy filled(const std::string& framework, const std::string& model, const std::string& device,
                double micro_batch, Strategy strategy = {}) {
  const Recipe* recipe = shipped().find(framework, model, device);
  if (!recipe) throw InputError("recipe", "none", framework, model);
  apply(*recipe, micro_batch, strategy);
  return strategy;
}

TEST(Recipes, FillWhatTheStrategyLeavesOpen) {
  const Parallelism parallel = filled("megatron-bridge-26.04", "deepseek-v3-mtp", "gb200", 1).parallel;
  EXPECT_EQ(parallel.dispatcher, Dispatcher::hybrid_ep);
  EXPECT_EQ(parallel.graph_scope, GraphScope::attention);
  EXPECT_EQ(parallel.expert_overlap, false);
  EXPECT_EQ(parallel.recompute_modules, (std::vector<std::string>{"mla_up_proj", "mlp"}));
}

TEST(Recipes, KeepWhatTheStrategySays) {
  Strategy strategy;
  strategy.parallel.dispatcher = Dispatcher::all_to_all;
  strategy.parallel.recompute = Recompute::full;
  const Parallelism parallel =
      filled("megatron-bridge-26.06", "deepseek-v3-mtp", "gb200", 1, strategy).parallel;
  EXPECT_EQ(parallel.dispatcher, Dispatcher::all_to_all);
  EXPECT_EQ(parallel.graph_scope, GraphScope::full);
  EXPECT_TRUE(parallel.recompute_modules.empty());
}

// GB300 with two samples a micro-batch has no graphs; with 16-bit products it recomputes the activation.
TEST(Recipes, HoldUnderConditions) {
  Strategy eight;
  eight.parallel.fp8 = Fp8Recipe::block;
  const auto gb300 = [](const Strategy& strategy, double samples) {
    return filled("megatron-bridge-26.02", "deepseek-v3", "gb300", samples, strategy).parallel;
  };
  EXPECT_EQ(gb300(eight, 1).graph_scope, GraphScope::attention);
  EXPECT_EQ(gb300(eight, 2).graph_scope, GraphScope::none);
  EXPECT_EQ(gb300(eight, 1).recompute_modules, std::vector<std::string>{"mla_up_proj"});
  EXPECT_EQ(gb300({}, 1).recompute_modules, std::vector<std::string>{"moe_act"});
}

// The exchanges of Qwen3 on B200 are overlapped where stages interleave, from two virtual stages on.
TEST(Recipes, OverlapWhereStagesInterleave) {
  Strategy strategy;
  strategy.parallel.degrees.pipeline = 8;
  const auto overlap = [&] {
    return filled("megatron-bridge-26.02", "qwen3-235b-a22b", "b200", 1, strategy).parallel.expert_overlap;
  };
  EXPECT_EQ(overlap(), false);
  strategy.parallel.degrees.virtual_stages = 4;
  EXPECT_EQ(overlap(), true);
}

TEST(Recipes, ComputeAttentionIn8BitOnlyWithProductsIn8Bit) {
  Strategy strategy;
  EXPECT_FALSE(filled("megatron-bridge-26.06", "qwen3-30b-a3b", "gb300", 8, strategy).parallel.fp8_attention);
  strategy.parallel.fp8 = Fp8Recipe::block;
  EXPECT_TRUE(filled("megatron-bridge-26.06", "qwen3-30b-a3b", "gb300", 8, strategy).parallel.fp8_attention);
}

TEST(Recipes, AreThoseOfKnownModelsAndDevices) {
  const Catalog& catalog = test::source_catalog();
  EXPECT_FALSE(shipped().all().empty());
  for (const Recipe& recipe : shipped().all()) {
    for (const std::string& model : recipe.models)
      EXPECT_NO_THROW(static_cast<void>(catalog.models.build(model)));
    for (const std::string& device : recipe.devices)
      EXPECT_TRUE(catalog.hardware.has_device(device)) << device;
  }
  EXPECT_EQ(shipped().find("megatron-bridge-26.04", "deepseek-v3", "l40s"), nullptr);
  EXPECT_EQ(shipped().find("pytorch", "deepseek-v3", "gb200"), nullptr);
}

TEST(Recipes, KnowTheModulesThatAreRecomputed) {
  const std::string text = R"({"format": "paceline/recipe-1", "name": "r", "source": "S", "models": ["m"],
      "recipes": [{"frameworks": ["f"], "devices": ["d"], "settings": [{"recompute_modules": ["moe"]}]}]})";
  EXPECT_EQ(refusal([&] { static_cast<void>(read_recipes(JsonValue::parse_text(text, "r.json"))); }),
            "r.json: /recipes/0/settings/0/recompute_modules/0: found \"moe\", expected one of mla_up_proj, "
            "moe_act, layernorm, mlp");
}

}  // namespace
}  // namespace paceline
