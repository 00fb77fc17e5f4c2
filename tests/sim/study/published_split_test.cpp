// How the words of a published row become degrees, switches and schedules.
#include <gtest/gtest.h>

#include "sim/study/published_parallel.h"

namespace paceline {
namespace {

Framework framework_with(const std::string& attention, bool interleaves) {
  Framework framework;
  framework.name = "megatron-x";
  framework.transformer = TransformerRules{};
  framework.transformer->attention.kernel = attention;
  framework.transformer->pipeline_overlap = interleaves;
  return framework;
}

struct Filled {
  Strategy strategy;
  std::string why_not;
  [[nodiscard]] const Parallelism& parallel() const { return strategy.parallel; }
};

Filled fill(const std::string& fields, StrategyKind kind = StrategyKind::zero,
            const std::string& flags = "[]", const Framework& framework = framework_with("cudnn", true)) {
  Filled filled;
  filled.strategy.kind = kind;
  const JsonValue row = JsonValue::parse_text(
      R"({"system": {"gpus": 64, "nodes": 8}, "flags": )" + flags + R"(, "strategy": {)" + fields + "}}",
      "row.json");
  filled.why_not = fill_published_parallelism(row, framework, 96, filled.strategy);
  return filled;
}

TEST(PublishedSplits, HaveTheirDegreesAndSwitches) {
  const Filled filled = fill(R"("tp": 4, "pp": 8, "vp": 6, "cp": 2, "ep": 16, "zero": 1, "sp": true,
      "recompute": "selective", "tp_overlap": false, "overlap": true, "cp_comm": "all-to-all", "dp_kind": "ddp+dist-opt")");
  EXPECT_EQ(filled.why_not, "");
  const Parallelism& parallel = filled.parallel();
  EXPECT_EQ(parallel.degrees.tensor, 4);
  EXPECT_EQ(parallel.degrees.pipeline, 8);
  EXPECT_EQ(parallel.degrees.virtual_stages, 6);
  EXPECT_EQ(parallel.degrees.context, 2);
  EXPECT_EQ(parallel.degrees.expert, 16);
  EXPECT_EQ(parallel.context_exchange, ContextExchange::all_to_all);
  EXPECT_EQ(parallel.zero_stage, 1);
  EXPECT_EQ(parallel.sequence_parallel, true);
  EXPECT_EQ(parallel.tensor_overlap, false);
  EXPECT_EQ(parallel.overlap_gradients, true);
  EXPECT_EQ(parallel.overlap_parameters, true);
  EXPECT_EQ(parallel.recompute, Recompute::selective);
  EXPECT_TRUE(splits_transformer(filled.strategy));
}

TEST(PublishedSplits, LeaveToTheFrameworkWhatTheyDoNotSay) {
  const Filled filled = fill("", StrategyKind::distributed_data_parallel);
  EXPECT_EQ(filled.why_not, "");
  EXPECT_EQ(filled.parallel().degrees.model(), 1);
  EXPECT_FALSE(filled.parallel().sequence_parallel || filled.parallel().schedule ||
               filled.parallel().overlap_gradients || filled.parallel().dispatcher);
  EXPECT_FALSE(splits_transformer(filled.strategy));
}

// 96 layers on 8 stages: six chunks of two, where interleaving is the framework's habit or the row's word.
TEST(PublishedSplits, InterleaveWhereTheirFrameworkDoes) {
  const auto stages = [](const std::string& fields, bool interleaves) {
    return fill(R"("pp": 8)" + fields, StrategyKind::zero, "[]", framework_with("cudnn", interleaves))
        .parallel()
        .degrees.virtual_stages;
  };
  EXPECT_EQ(stages("", true), 6);
  EXPECT_EQ(stages("", false), 1);
  EXPECT_EQ(stages(R"(, "vp": 1)", true), 1);
  EXPECT_EQ(stages(R"(, "schedule": "1f1b")", true), 1);
  EXPECT_EQ(stages(R"(, "schedule": "interleaved-1f1b")", false), 6);
}

// 96 layers divide by 8 x 6 places but not by 7 x 2 = 14, of which 98 = 96 + 2 is a multiple.
TEST(PublishedSplits, CountEmbeddingAndLossWhereLayersAloneDoNotDivide) {
  EXPECT_FALSE(fill(R"("pp": 8, "vp": 6)").parallel().embedding_counts);
  EXPECT_TRUE(fill(R"("pp": 7, "vp": 2)").parallel().embedding_counts);
  EXPECT_FALSE(fill(R"("pp": 5, "vp": 1)").parallel().embedding_counts);
}

TEST(PublishedSplits, ShardFullyByDefaultAndWithinNodesWhenHybrid) {
  const Filled full = fill(R"("dp_kind": "fsdp")", StrategyKind::fully_sharded);
  EXPECT_EQ(full.parallel().zero_stage, 3);
  EXPECT_EQ(full.parallel().replicas, 1);
  const Filled hybrid = fill(R"("dp_kind": "hsdp", "zero": 3)", StrategyKind::fully_sharded);
  EXPECT_EQ(hybrid.parallel().replicas, 8);
  EXPECT_EQ(fill(R"("zero": 3)", StrategyKind::distributed_data_parallel).parallel().zero_stage, 0);
}

TEST(PublishedSplits, OfExpertsHaveTheirDispatcher) {
  const Filled filled = fill(R"("ep": 8, "dispatcher": "deepep", "extra_note": "1f1b-a2a-overlap")");
  EXPECT_EQ(filled.parallel().dispatcher, Dispatcher::deep_ep);
  EXPECT_EQ(filled.parallel().expert_overlap, true);
  EXPECT_FALSE(filled.parallel().token_drop);
  EXPECT_TRUE(fill(R"("ep": 8)", StrategyKind::zero, R"(["moe:tokendrop"])").parallel().token_drop);
  const Filled capped = fill(R"("ep": 8, "capacity_factor": 1.25)");
  EXPECT_TRUE(capped.parallel().token_drop);
  EXPECT_EQ(capped.parallel().capacity_factor, 1.25);
}

TEST(PublishedSplits, SayWhyTheyCannotBeAsked) {
  const auto why = [](const std::string& fields) { return fill(fields).why_not; };
  EXPECT_EQ(why(R"("sp_degree": 4)"), "sp_degree = 4 is not modelled");
  EXPECT_EQ(why(R"("etp": 2)"), "etp = 2 is not modelled");
  EXPECT_EQ(why(R"("zero": 1.5)"), "ZeRO stage 1.5 is not modelled");
  EXPECT_EQ(why(R"("recompute": "some")"), "recomputation \"some\" is not modelled");
  EXPECT_EQ(why(R"("schedule": "chimera")"), "the schedule \"chimera\" is not modelled");
  EXPECT_EQ(why(R"("cp": 2, "cp_comm": "gossip")"),
            "the exchange \"gossip\" of context ranks is not modelled");
  EXPECT_EQ(why(R"("dispatcher": "pigeons")"), "the dispatcher \"pigeons\" is not modelled");
}

TEST(PublishedSplits, RefuseAnotherAttentionThanTheFrameworks) {
  const auto why = [](const std::string& words, const std::string& kernel) {
    return fill(R"("attn": ")" + words + "\"", StrategyKind::zero, "[]", framework_with(kernel, true))
        .why_not;
  };
  for (const char* words : {"flash", "sdpa", "auto"}) EXPECT_EQ(why(words, "flash-attention-2"), "");
  EXPECT_EQ(why("flash2", "flash-attention-2"), "");
  EXPECT_EQ(why("flash", "flash-attention-1"), "");
  EXPECT_EQ(why("unfused", ""), "");
  EXPECT_EQ(why("flash2", "flash-attention-1"),
            "attention \"flash2\" is not what framework \"megatron-x\" runs");
  EXPECT_EQ(why("flash", ""), "attention \"flash\" is not what framework \"megatron-x\" runs");
  EXPECT_EQ(why("unfused", "cudnn"), "attention \"unfused\" is not what framework \"megatron-x\" runs");
}

}  // namespace
}  // namespace paceline
