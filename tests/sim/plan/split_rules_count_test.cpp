// No constant of a framework's rules for whole steps is ignored: changing any of them changes the time or the
// memory of some plan.
#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "sim/analytic/estimate.h"
#include "sim/engine/engine.h"
#include "sim/memory/memory.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/split_case.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

Json changed(const Json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number()) return value.get<double>() == 0 ? Json(2) : Json(value.get<double>() * 2);
  const std::string text = value.get<std::string>();
  std::size_t digits = 0;
  const double number = std::stod(text, &digits);
  return std::to_string(number + 1) + text.substr(digits);
}

Scenario small(StrategyKind kind, int zero_stage, int micro_batches) {
  Scenario scenario = test::split_scenario(16, micro_batches);
  scenario.model = "gpt3-350m";
  scenario.strategy.kind = kind;
  scenario.strategy.parallel.zero_stage = zero_stage;
  return scenario;
}

std::vector<Scenario> scenarios() {
  std::vector<Scenario> list{small(StrategyKind::fully_sharded, 3, 2),
                             small(StrategyKind::distributed_data_parallel, 0, 2),
                             small(StrategyKind::zero, 1, 2)};
  list.push_back(list.front());  // its reductions are slower than what runs beside them
  list.back().cluster = "8x-a100-80-25gbe";
  return list;
}

std::vector<double> figures_of(const TransformerRules& rules) {
  std::vector<double> figures;
  for (const Scenario& scenario : scenarios()) {
    const test::SplitCase each(scenario, &rules);
    const Program program = plan(each.request());
    const Schedule schedule = run(program);
    figures.push_back(schedule.finish);
    figures.push_back(estimate(each.request()).step.value());
    for (const RankMemory& rank : memory_by_rank(program, schedule)) figures.push_back(rank.peak.value());
  }
  return figures;
}

TEST(StepConstants, OfShardsGradientsMemoryAndJitterCount) {
  const Json file = Json::parse(read_file(test::data_folder() + "/frameworks/megatron-core.json"));
  Json rules = file["transformer"];
  rules["accumulates_in_product"] = false;
  const auto rules_of = [&](const Json& each) {
    return read_transformer_rules(JsonValue::parse_text(each.dump(), "rules"), nullptr);
  };
  const std::vector<double> before = figures_of(rules_of(rules));
  for (const std::string part : {"shards", "gradients", "memory", "step"}) {
    const Json flat = rules[part].flatten();
    for (const auto& item : flat.items()) {
      if (part == "step" && item.key() != "/jitter") continue;  // the others: of one rank's work
      Json other = rules;
      const Json value = changed(item.value());
      const bool share = item.value().is_number() && item.value().get<double>() < 1 && item.value() > 0.5;
      other[part][Json::json_pointer(item.key())] = share ? Json(item.value().get<double>() / 2) : value;
      EXPECT_NE(figures_of(rules_of(other)), before) << part << item.key();
    }
  }
}

}  // namespace
}  // namespace paceline
