// Scenarios as JSON.
#include "sim/study/scenario.h"

#include <gtest/gtest.h>

#include "sim/study/parallel_fields.h"

namespace paceline {
namespace {

Scenario read(const std::string& text) { return read_scenario(JsonValue::parse_text(text, "s.json")); }

TEST(ScenarioFile, NeedsNothingButItsFormat) {
  const Scenario scenario = read(R"({"format": "paceline/scenario-1"})");
  EXPECT_EQ(scenario.model, "resnet50");
  EXPECT_EQ(scenario.cluster, "dgx-1v");
  EXPECT_EQ(scenario.devices, 1);
  EXPECT_EQ(scenario.strategy.kind, StrategyKind::single);
  EXPECT_FALSE(scenario.strategy.overlap.has_value());
}

TEST(ScenarioFile, TakesQuantitiesWithUnits) {
  const Scenario scenario = read(R"({"format": "paceline/scenario-1", "link_rate": "200Gb/s",
      "strategy": {"kind": "ddp", "bucket_cap": "25MiB"}, "measured": {"step": "104ms"}})");
  EXPECT_EQ(scenario.link_rate->value(), 25e9);
  EXPECT_EQ(*scenario.strategy.bucket_cap, mebibytes(25));
  EXPECT_DOUBLE_EQ(scenario.measured.step->value(), 0.104);
}

TEST(ScenarioFile, TakesAStrategyByItsName) {
  EXPECT_EQ(read(R"({"format": "paceline/scenario-1", "strategy": "dp"})").strategy.kind,
            StrategyKind::data_parallel);
}

Parallelism full_parallelism() {
  Parallelism parallel;
  parallel.degrees = {8, 4, 3, 2, 16};
  parallel.order = RankOrder::tensor_context_pipeline_data;
  parallel.sequence_parallel = false;
  parallel.tensor_overlap = true;
  parallel.schedule = PipelineSchedule::zero_bubble_v;
  parallel.pipeline_overlap = false;
  parallel.stage_layers = {3, 0, 5};
  parallel.balance_stages = true;
  parallel.embedding_counts = true;
  parallel.microbatch_group = 5;
  parallel.context_exchange = ContextExchange::all_to_all;
  parallel.recompute = Recompute::operators;
  parallel.recompute_modules = {"mlp", "moe_act"};
  parallel.zero_stage = 3;
  parallel.replicas = 7;
  parallel.overlap_gradients = false;
  parallel.overlap_parameters = true;
  parallel.gradient_bytes = 4;
  parallel.reshard_after_forward = false;
  parallel.synchronise_last_only = true;
  parallel.offload_optimizer = Offload::cpu;
  parallel.offload_parameters = Offload::nvme;
  parallel.dispatcher = Dispatcher::hybrid_ep;
  parallel.graph_scope = GraphScope::attention;
  parallel.expert_overlap = false;
  parallel.grouped_experts = true;
  parallel.token_drop = true;
  parallel.capacity_factor = 1.0 / 3;
  parallel.expert_imbalance = 4.0 / 3;
  parallel.fp8 = Fp8Recipe::row;
  parallel.fp8_dispatch = true;
  parallel.fp8_attention = true;
  return parallel;
}

// Every field set to something that is not its default.
Scenario full() {
  Scenario scenario;
  scenario.name = "all \"fields\"";
  scenario.model = "bert-base";
  scenario.input = {256, 160, 30000, 40};
  scenario.cluster = "dgx-a100-80";
  scenario.devices = 12;
  scenario.devices_per_node = 6;
  scenario.precision = Precision::bf16;
  scenario.batch_per_device = 7;
  scenario.global_batch = 252;
  scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  scenario.strategy.framework = "pytorch-ngc";
  scenario.strategy.accumulation = 3;
  scenario.strategy.optimizer = Optimizer::lamb;
  scenario.strategy.channels_last = true;
  scenario.strategy.overlap = false;
  scenario.strategy.bucket_cap = Bytes(12345678);
  scenario.strategy.first_bucket = Bytes(1.0 / 3);
  scenario.strategy.find_unused_parameters = true;
  scenario.strategy.gradient_as_bucket_view = true;
  scenario.strategy.broadcast_buffers = false;
  scenario.strategy.loss_in_model = true;
  scenario.strategy.fusion_threshold = Bytes(1e7 / 3);
  scenario.strategy.cycle_time = Seconds(0.005 / 3);
  scenario.strategy.parallel = full_parallelism();
  scenario.measured = {Seconds(0.1), Seconds(1.0 / 30), Seconds(2.0 / 30)};
  scenario.link_rate = BytesPerSecond(1e11 / 3);
  scenario.input_rate = 1234.5;
  scenario.port_rate = BytesPerSecond(1e10 / 7);
  return scenario;
}

// To the last bit of every number: compared as text, in which each field stands.
TEST(ScenarioFile, ComesBackAsItWasWritten) {
  const std::string text = to_json(full());
  const Scenario back = read(text);
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.name, full().name);
  EXPECT_EQ(back.strategy.first_bucket, full().strategy.first_bucket);
  EXPECT_EQ(back.link_rate, full().link_rate);
  EXPECT_EQ(back.input_rate, 1234.5);
  EXPECT_EQ(back.measured.backward, full().measured.backward);
  EXPECT_EQ(back.input.masked_positions, 40);
  EXPECT_EQ(back.strategy.parallel, full().strategy.parallel);
  EXPECT_EQ(to_json(read(to_json(Scenario{}))), to_json(Scenario{}));
}

// 36 fields in all; a further one has to be read, written and set above.
TEST(ScenarioFile, HoldsEveryFieldOfParallelism) {
  EXPECT_EQ(fields_of(full_parallelism()).size(), 36U);
  EXPECT_TRUE(fields_of(Parallelism{}).empty());
}

// A field that is left out of the text would be lost: each of the full scenario's changes it.
TEST(ScenarioFile, HoldsEveryField) {
  const std::string all = to_json(full()), none = to_json(Scenario{});
  for (const char* field : {"name",          "sequence",         "image",
                            "vocabulary",    "masked_positions", "devices_per_node",
                            "global_batch",  "measured",         "step",
                            "forward",       "backward",         "link_rate",
                            "port_rate",     "input_rate",       "channels_last",
                            "overlap",       "bucket_cap",       "first_bucket",
                            "loss_in_model", "fusion_threshold", "cycle_time"}) {
    EXPECT_NE(all.find('"' + std::string(field) + '"'), std::string::npos) << field;
    EXPECT_EQ(none.find('"' + std::string(field) + '"'), std::string::npos) << field;
  }
}

}  // namespace
}  // namespace paceline
