// Relations that hold for mixtures of experts whatever the constants are.
#include <gtest/gtest.h>

#include "sim/cost/transformer/expert_host.h"
#include "sim/cost/transformer/expert_layer.h"
#include "sim/cost/transformer/further_prediction.h"
#include "sim/cost/transformer/latent_attention.h"
#include "tests/sim/cost/transformer/expert_setting.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::eight_ranks;
using test::ExpertCase;
using test::ExpertSetting;
using test::refusal;
using test::time_of;

Seconds products(const ExpertSetting& setting, const Block& block) {
  const LayerPart part = expert_part(setting.context(), block);
  return time_of(part.forward, "experts up") + time_of(part.forward, "experts down") +
         time_of(part.backward, "experts up") + time_of(part.backward, "experts down");
}

// As many rows for twice the experts: tiles of one kernel are the same, one product each has half the rows
// and all of the weights.
TEST(ExpertRelations, TwiceTheExpertsAtEqualRowsCostOnlyWhereEachIsAProduct) {
  ExpertCase what = eight_ranks();
  what.samples = 8;  // 16384 rows an expert of eight
  const auto growth = [&](bool grouped) {
    what.parallel.grouped_experts = grouped;
    const ExpertSetting setting(what);
    Block few = setting.block(), many = setting.block();
    few.experts->experts = 64;
    many.experts->experts = 128;
    return products(setting, many) / products(setting, few);
  };
  EXPECT_NEAR(growth(true), 1, 0.1);
  EXPECT_GT(growth(false), growth(true));
}

// Weight gradients of 16 experts are added to fp32: read and written, 8 bytes of each of 3 h F elements.
// 16 x 24 x 4096 x 1536 B / 5.99 TB/s = 403.3 us at least.
TEST(ExpertRelations, WeightGradientsAreBoundByTheirMemory) {
  ExpertCase what = eight_ranks();
  const ExpertSetting setting(what);
  LayerContext context = setting.context();
  const auto gradients = [&] { return expert_part(context, setting.block()).weight_gradients.value(); };
  EXPECT_GT(gradients(), 403.3e-6);
  context.tokens = 1;
  EXPECT_GT(gradients(), 403.3e-6);
  EXPECT_LT(gradients(), 2 * 403.3e-6);
}

TEST(ExpertRelations, MoreInGraphsNeverCostsTheHostMore) {
  ExpertCase what = eight_ranks();
  Seconds before = Seconds(1);
  for (const GraphScope scope :
       {GraphScope::none, GraphScope::router, GraphScope::attention, GraphScope::full}) {
    what.parallel.graph_scope = scope;
    const ExpertSetting setting(what);
    const ExpertHost host = expert_host(setting.context(), setting.block());
    EXPECT_LT(host.forward + host.backward, before);
    before = host.forward + host.backward;
  }
  EXPECT_EQ(before, Seconds(0));
}

// x86, no graphs, 16 experts: forward 0.806 + 2.976 + 16 x 0.03224 = 4.29784 ms; 0.4 of it with a fixed
// capacity.
TEST(ExpertRelations, AFixedCapacityNeedsNoCountsOnTheHost) {
  ExpertCase what = eight_ranks();
  what.parallel.graph_scope = GraphScope::none;
  const auto host = [&] {
    const ExpertSetting setting(what);
    return expert_host(setting.context(), setting.block());
  };
  EXPECT_NEAR(host().forward.value(), 4.29784e-3, 1e-9);
  EXPECT_NEAR(host().synchronisation.value(), 74.4e-6, 1e-12);
  what.parallel.token_drop = true;
  EXPECT_NEAR(host().forward.value(), 0.4 * 4.29784e-3, 1e-9);
  EXPECT_EQ(host().synchronisation, Seconds(0));
}

TEST(ExpertRelations, ExpertsThatDoNotDivideByTheirRanksAreRefused) {
  ExpertCase what = eight_ranks();
  what.parallel.degrees.expert = 6;
  const ExpertSetting setting(what);
  EXPECT_EQ(refusal([&] { static_cast<void>(expert_part(setting.context(), setting.block())); }),
            "expert: found 6, expected a divisor of 128 experts (128 / 6 leaves 2); choose another "
            "degree");
}

TEST(ExpertRelations, FrameworksWithoutKnownMixturesAreRefused) {
  ExpertSetting setting(eight_ranks());
  setting.rules.experts.known = false;
  EXPECT_EQ(
      refusal([&] { static_cast<void>(expert_part(setting.context(), setting.block())); }),
      "framework: found a model with experts, expected a framework whose mixtures of experts are known; "
      "choose \"megatron-core\" or one of its releases");
}

TEST(ExpertRelations, LatentAttentionIsRefusedWhereNobodyMeasuredIt) {
  ExpertCase what = eight_ranks();
  what.model = "deepseek-v3";
  const auto attempt = [](const ExpertSetting& setting) {
    return refusal([&] {
      const Block& block = setting.block();
      static_cast<void>(latent_attention_part(setting.context(), block.hidden, block.attention.front()));
    });
  };
  EXPECT_EQ(attempt(ExpertSetting(what)), "accepted");
  what.parallel.degrees.context = 2;
  EXPECT_EQ(
      attempt(ExpertSetting(what)),
      "parallel.context: found 2, expected 1 with latent attention, whose exchange between context ranks "
      "nobody has measured; choose context 1");
}

// Recomputing the up projections is a part of forward and comes on top of backward.
TEST(ExpertRelations, RecomputedModulesAreOfForward) {
  ExpertCase what = eight_ranks();
  what.model = "deepseek-v3";
  what.parallel.recompute_modules = {"mla_up_proj", "moe_act", "layernorm"};
  const ExpertSetting setting(what);
  const Block& block = setting.block();
  const LayerPart latent = latent_attention_part(setting.context(), block.hidden, block.attention.front());
  const LayerPart experts = expert_part(setting.context(), block);
  EXPECT_GT(time_of(latent.recompute), Seconds(0));
  EXPECT_LT(time_of(latent.recompute), time_of(latent.forward));
  EXPECT_LE(time_of(experts.recompute, "experts activation"), time_of(experts.forward, "experts activation"));
  EXPECT_GT(time_of(experts.recompute, "norms"), Seconds(0));
}

// 2 h -> h over 4096 tokens, h = 7168: 2 x 4096 x 7168 x 14336 FLOP = 841.8 GFLOP.
TEST(ExpertRelations, FurtherPredictionsProjectTwoStreams) {
  ExpertCase what = eight_ranks();
  what.model = "deepseek-v3-mtp";
  const ExpertSetting setting(what);
  const Block& last = setting.model.blocks.back();
  ASSERT_TRUE(last.predicts_further());
  EXPECT_FALSE(setting.block().predicts_further());
  const LayerPart part = further_prediction_part(setting.context(), last);
  double work = 0;
  for (const PassStep& step : part.forward.steps) work += std::get<Kernel>(step).work.value();
  EXPECT_NEAR(work, 2.0 * 4096 * 7168 * 14336, 1);
}

}  // namespace
}  // namespace paceline
