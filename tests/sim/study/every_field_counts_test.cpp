// No input is ignored: changing any field of a scenario changes what is predicted.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "sim/study/study.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

struct FieldChange {
  const char* name;
  Scenario base;
  std::function<void(Scenario&)> change;
};

void PrintTo(const FieldChange& each, std::ostream* out) { *out << each.name; }

Scenario of(const std::string& model, StrategyKind kind, int devices, const std::string& cluster = "dgx-1v") {
  Scenario scenario;
  scenario.model = model;
  scenario.cluster = cluster;
  scenario.devices = devices;
  scenario.strategy.kind = kind;
  scenario.batch_per_device = 8;
  return scenario;
}

constexpr StrategyKind single = StrategyKind::single, dp = StrategyKind::data_parallel,
                       ddp = StrategyKind::distributed_data_parallel, horovod = StrategyKind::horovod;

std::vector<FieldChange> changes() {
  Scenario mixed = of("resnet50", single, 1);
  mixed.precision = Precision::fp16;
  Scenario pair = of("resnet50", ddp, 16, "8x-v100-nvlink-10gbe");
  Scenario unused = pair, factors = pair, twice = pair;
  unused.strategy.find_unused_parameters = true;
  factors.strategy.hook = GradientHook::power_sgd;
  twice.strategy.accumulation = 2;
  Scenario served = of("resnet50", StrategyKind::parameter_server, 16, "8x-v100-nvlink-10gbe");
  served.strategy.framework = "tensorflow";
  served.strategy.servers = 2;
  return {
      {"servers", served, [](Scenario& s) { s.strategy.servers = 1; }},
      {"placement", served, [](Scenario& s) { s.strategy.placement = Placement::partitioned; }},
      {"asynchronous", served, [](Scenario& s) { s.strategy.asynchronous = true; }},
      {"model", of("resnet50", single, 1), [](Scenario& s) { s.model = "resnet34"; }},
      {"sequence", of("bert-base", single, 1), [](Scenario& s) { s.input.sequence = 256; }},
      {"image", of("resnet50", single, 1), [](Scenario& s) { s.input.image = 160; }},
      {"vocabulary", of("gpt2", single, 1), [](Scenario& s) { s.input.vocabulary = 30000; }},
      {"masked_positions", of("bert-base", single, 1), [](Scenario& s) { s.input.masked_positions = 40; }},
      {"cluster", of("resnet50", single, 1), [](Scenario& s) { s.cluster = "dgx-1p"; }},
      {"devices", of("resnet50", ddp, 4), [](Scenario& s) { s.devices = 8; }},
      {"devices_per_node", of("resnet50", ddp, 8), [](Scenario& s) { s.devices_per_node = 4; }},
      {"precision", of("resnet50", single, 1), [](Scenario& s) { s.precision = Precision::fp16; }},
      {"batch_per_device", of("resnet50", single, 1), [](Scenario& s) { s.batch_per_device = 9; }},
      {"strategy", of("resnet50", dp, 4), [](Scenario& s) { s.strategy.kind = ddp; }},
      {"framework", of("resnet50", single, 1), [](Scenario& s) { s.strategy.framework = "pytorch-ngc"; }},
      {"accumulation", of("resnet50", ddp, 4), [](Scenario& s) { s.strategy.accumulation = 2; }},
      {"optimizer", of("resnet50", single, 1), [](Scenario& s) { s.strategy.optimizer = Optimizer::adam; }},
      {"channels_last", mixed, [](Scenario& s) { s.strategy.channels_last = true; }},
      {"overlap", pair, [](Scenario& s) { s.strategy.overlap = false; }},
      {"bucket_cap", pair, [](Scenario& s) { s.strategy.bucket_cap = mebibytes(5); }},
      {"first_bucket", pair, [](Scenario& s) { s.strategy.first_bucket = mebibytes(20); }},
      {"find_unused_parameters", pair, [](Scenario& s) { s.strategy.find_unused_parameters = true; }},
      {"static_graph", unused, [](Scenario& s) { s.strategy.static_graph = true; }},
      {"hook", pair, [](Scenario& s) { s.strategy.hook = GradientHook::fp16; }},
      {"hook_rank", factors, [](Scenario& s) { s.strategy.hook_rank = 2; }},
      {"synchronise_every_micro_batch", twice,
       [](Scenario& s) { s.strategy.synchronise_every_micro_batch = true; }},
      {"gradient_as_bucket_view", pair, [](Scenario& s) { s.strategy.gradient_as_bucket_view = true; }},
      {"broadcast_buffers", pair, [](Scenario& s) { s.strategy.broadcast_buffers = false; }},
      {"loss_in_model", of("gpt2", dp, 2), [](Scenario& s) { s.strategy.loss_in_model = false; }},
      {"fusion_threshold", of("resnet50", horovod, 4),
       [](Scenario& s) { s.strategy.fusion_threshold = mebibytes(1); }},
      {"cycle_time", of("resnet50", horovod, 4),
       [](Scenario& s) { s.strategy.cycle_time = milliseconds(5); }},
      {"measured.step", of("resnet50", ddp, 2), [](Scenario& s) { s.measured.step = Seconds(1); }},
      {"measured.forward", of("resnet50", ddp, 2), [](Scenario& s) { s.measured.forward = Seconds(1); }},
      {"measured.backward", of("resnet50", ddp, 2), [](Scenario& s) { s.measured.backward = Seconds(1); }},
      {"link_rate", of("resnet50", ddp, 8), [](Scenario& s) { s.link_rate = BytesPerSecond(1e9); }},
      {"input_rate", pair, [](Scenario& s) { s.input_rate = 10; }},
      {"port_rate", pair, [](Scenario& s) { s.port_rate = BytesPerSecond(1e8); }}};
}

// Everything that is predicted, without the question itself.
std::string outputs(const Scenario& scenario) {
  Study study{"s", "s", {{scenario, "m", "c"}}};
  const auto rows = run_study(test::source_catalog(), study, nullptr, false);
  nlohmann::json result = nlohmann::json::parse(study_json(study, rows));
  for (nlohmann::json& row : result["rows"]) {
    row.erase("scenario");
    row.erase("case");
  }
  return result.dump();
}

class Field : public ::testing::TestWithParam<FieldChange> {};

TEST_P(Field, MovesSomeOutput) {
  Scenario changed = GetParam().base;
  GetParam().change(changed);
  EXPECT_NE(outputs(changed), outputs(GetParam().base));
}

INSTANTIATE_TEST_SUITE_P(OfAScenario, Field, ::testing::ValuesIn(changes()), [](const auto& each) {
  std::string name = each.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

// The name is a label: it comes back with the answer and moves nothing.
TEST(FieldName, ComesBackWithTheAnswer) {
  Scenario named = of("resnet50", ddp, 2);
  named.name = "mine";
  EXPECT_EQ(predict(test::source_catalog(), named).scenario.name, "mine");
  EXPECT_EQ(outputs(named), outputs(of("resnet50", ddp, 2)));
}

}  // namespace
}  // namespace paceline
