#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "sim/study/scenario_strategy.h"
#include "sim/study/study.h"

namespace paceline {
namespace {

constexpr int most_devices = 1 << 20;

struct Platform {
  JsonValue value;                    // its own fields and those of a scenario
  std::vector<JsonValue> strategies;  // names of kinds and presets
  std::vector<int> devices;
  std::vector<int> nodes;  // of DDP and presets
};

std::vector<int> counts(const JsonValue& value, int most) {
  std::vector<int> list;
  for (const JsonValue& item : value.array()) list.push_back(static_cast<int>(item.integer(1, most)));
  if (list.empty()) value.fail("at least one number");
  return list;
}

Platform read_platform(const JsonValue& value) {
  JsonObject object = value.object();
  Platform platform{value, {}, {}, {}};
  if (const auto strategies = object.optional("strategies")) platform.strategies = strategies->array();
  if (const auto sizes = object.optional("sizes")) platform.devices = counts(*sizes, most_devices);
  if (const auto nodes = object.optional("nodes")) platform.nodes = counts(*nodes, most_devices);
  return platform;
}

// The fields of a scenario in one of a study's objects, of which `object` knows the others.
Scenario read_part(JsonObject object, const Scenario& base, const ScenarioLookup& lookup) {
  if (const auto devices = object.optional("devices"))
    devices->fail("no such field in a study",
                  "list numbers of devices as \"sizes\" or \"nodes\" of a platform");
  Scenario scenario = read_scenario_fields(object, base, lookup);
  object.finish();
  return scenario;
}

// The defaults, a model and a platform: the parts that a case is made of.
class CaseReader {
 public:
  CaseReader(const Catalog& catalog, std::vector<JsonValue> common, const Platform& platform)
      : catalog_(catalog), common_(std::move(common)), platform_(platform) {
    lookup_ = {&catalog, "", true};
    for (const JsonValue& part : parts())
      if (const auto model = part.object().optional("model")) lookup_.model = model->string();
    check_presets();
  }

  [[nodiscard]] bool names_preset() const { return preset_.has_value(); }
  [[nodiscard]] bool is_preset(const JsonValue& strategy) const {
    return catalog_.presets.find(strategy.string()) != nullptr;
  }

  // `listed`: the platform's word for the strategy; it decides the kind, and a preset is the base of the rest.
  [[nodiscard]] Scenario read(const std::optional<JsonValue>& listed) const {
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

 private:
  [[nodiscard]] std::vector<JsonValue> parts() const {
    std::vector<JsonValue> parts = common_;
    parts.push_back(platform_.value);
    return parts;
  }

  // Switches of one preset make no sense under another strategy.
  void check_presets() {
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

  const Catalog& catalog_;
  std::vector<JsonValue> common_;
  const Platform& platform_;
  ScenarioLookup lookup_;
  std::optional<std::string> preset_;
};

class CaseWriter {
 public:
  CaseWriter(const Catalog& catalog, Study& study, const Platform& platform)
      : catalog_(catalog), study_(study), platform_(platform) {}

  void add(Scenario scenario, int devices) {
    scenario.devices = devices;
    study_.cases.push_back(study_case(catalog_, std::move(scenario)));
  }
  void add_sizes(const Scenario& scenario) {
    for (const int devices :
         platform_.devices.empty() ? std::vector<int>{whole_node(scenario)} : platform_.devices)
      if (devices > 1) add(scenario, devices);
  }
  void add_nodes(const Scenario& scenario) {
    const int per_node = scenario.devices_per_node.value_or(whole_node(scenario));
    for (const int nodes : platform_.nodes) {
      if (nodes > most_devices / per_node) {
        throw InputError("nodes", fmt::format("{} of {} devices", nodes, per_node),
                         fmt::format("at most {} devices", most_devices), "use fewer nodes");
      }
      add(scenario, nodes * per_node);
    }
  }

 private:
  [[nodiscard]] int whole_node(const Scenario& scenario) const {
    return catalog_.hardware.cluster(scenario.cluster).devices_per_node;
  }
  const Catalog& catalog_;
  Study& study_;
  const Platform& platform_;
};

struct Choice {
  Scenario scenario;
  bool preset = false;
};

std::vector<Choice> choices_of(const CaseReader& reader, const Platform& platform, const Scenario& plain) {
  std::vector<Choice> choices;
  for (const JsonValue& listed : platform.strategies)
    choices.push_back({reader.read(listed), reader.is_preset(listed)});
  if (!choices.empty()) return choices;
  if (reader.names_preset()) return {{plain, true}};
  for (const StrategyKind kind : {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel}) {
    choices.push_back({plain});
    choices.back().scenario.strategy.kind = kind;
  }
  return choices;
}

// One device first, then each strategy at each size of a node, then presets and DDP over more nodes: DDP also
// where only other kinds are listed.
void add_cases(CaseWriter writer, const CaseReader& reader, const Platform& platform) {
  Scenario plain = reader.read(std::nullopt);
  const std::vector<Choice> choices = choices_of(reader, platform, plain);
  Scenario alone = plain;
  alone.strategy = unsplit(alone.strategy);
  writer.add(std::move(alone), 1);
  for (const Choice& choice : choices) writer.add_sizes(choice.scenario);
  constexpr auto ddp = StrategyKind::distributed_data_parallel;
  const auto is_preset = [](const Choice& choice) { return choice.preset; };
  const auto is_ddp = [](const Choice& choice) { return !choice.preset && choice.scenario.strategy.kind == ddp; };
  for (const Choice& choice : choices)
    if (choice.preset) writer.add_nodes(choice.scenario);
  if (std::any_of(choices.begin(), choices.end(), is_preset) &&
      std::none_of(choices.begin(), choices.end(), is_ddp))
    return;
  plain.strategy.kind = ddp;
  writer.add_nodes(plain);
}

void drop_repeated_cases(Study& study) {
  std::set<std::string> seen;
  std::erase_if(study.cases,
                [&](const StudyCase& item) { return !seen.insert(to_json(item.scenario)).second; });
}

// It becomes the name of a folder.
std::string read_name(const JsonValue& value) {
  const std::string name = value.string();
  if (name.empty() || name.front() == '.' || name.find_first_of("/\n") != std::string::npos)
    value.fail("a name that can be a folder's", "use letters, digits and dashes");
  return name;
}

}  // namespace

Study read_study(const Catalog& catalog, const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/study-1");
  Study study;
  study.name = read_name(object.required("name"));
  study.title = object.required("title").string();
  std::vector<JsonValue> defaults;
  if (const auto common = object.optional("defaults")) defaults.push_back(*common);
  const std::vector<JsonValue> models = object.required("models").array();
  std::vector<Platform> platforms;
  for (const JsonValue& value : object.required("platforms").array())
    platforms.push_back(read_platform(value));
  if (models.empty()) object.required("models").fail("at least one model");
  if (platforms.empty()) object.required("platforms").fail("at least one platform");
  object.finish();
  for (const JsonValue& model : models) {
    for (const Platform& platform : platforms) {
      std::vector<JsonValue> common = defaults;
      common.push_back(model);
      add_cases(CaseWriter(catalog, study, platform), CaseReader(catalog, std::move(common), platform),
                platform);
    }
  }
  drop_repeated_cases(study);
  return study;
}

}  // namespace paceline
