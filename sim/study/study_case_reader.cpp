#include "sim/study/study_case_reader.h"

#include <fmt/format.h>

#include <utility>

#include "sim/study/scenario_strategy.h"

namespace paceline {
namespace {

// The fields of a scenario in one of a study's objects, of which `object` knows the others.
Scenario read_part(JsonObject object, const Scenario& base, const ScenarioLookup& lookup) {
  if (const auto devices = object.optional("devices"))
    devices->fail("no such field in a study",
                  "list numbers of devices as \"sizes\" or \"nodes\" of a platform");
  Scenario scenario = read_scenario_fields(object, base, lookup);
  object.finish();
  return scenario;
}

}  // namespace

StudyCaseReader::StudyCaseReader(const Catalog& catalog, std::vector<JsonValue> common,
                                 const StudyPlatform& platform)
    : catalog_(catalog), common_(std::move(common)), platform_(platform) {
  lookup_ = {&catalog, "", true};
  for (const JsonValue& part : parts())
    if (const auto model = part.object().optional("model")) lookup_.model = model->string();
  check_presets();
}

bool StudyCaseReader::is_preset(const JsonValue& strategy) const {
  return catalog_.presets.find(strategy.string()) != nullptr;
}

Scenario StudyCaseReader::read(const std::optional<JsonValue>& listed) const {
  Scenario scenario;
  if (listed) scenario.strategy = read_strategy(*listed, {}, {&catalog_.presets, {}});
  const StrategyKind kind = scenario.strategy.kind;
  for (const JsonValue& part : common_) scenario = read_part(part.object(), scenario, lookup_);
  JsonObject object = platform_.value.object();
  for (const char* list : {"strategies", "sizes", "nodes"}) static_cast<void>(object.optional(list));
  scenario = read_part(std::move(object), scenario, lookup_);
  if (listed) scenario.strategy.kind = kind;
  static_cast<void>(catalog_.models.build(scenario.model, scenario.input));
  static_cast<void>(catalog_.frameworks.framework(scenario.strategy.framework));
  return scenario;
}

std::vector<JsonValue> StudyCaseReader::parts() const {
  std::vector<JsonValue> parts = common_;
  parts.push_back(platform_.value);
  return parts;
}

// Switches of one preset make no sense under another strategy.
void StudyCaseReader::check_presets() {
  std::vector<JsonValue> named;
  for (const JsonValue& part : parts()) {
    auto strategy = part.object().optional("strategy");
    if (strategy && strategy->is_object()) strategy = strategy->object().required("kind");
    if (strategy && strategy->is_string()) named.push_back(*strategy);
  }
  for (const JsonValue& each : named)
    if (is_preset(each)) preset_ = each.string();
  for (const JsonValue& each : named) {
    if (preset_ && each.string() != *preset_)
      each.fail(fmt::format("\"{}\", which another part of the study names", *preset_),
                "list several as \"strategies\" of a platform");
    if (preset_ && !platform_.strategies.empty())
      each.fail("a kind: the platform lists its \"strategies\"", "list it there");
  }
}

}  // namespace paceline
