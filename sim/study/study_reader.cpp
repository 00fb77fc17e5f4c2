#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "sim/study/scenario_strategy.h"
#include "sim/study/study.h"
#include "sim/study/study_case_reader.h"

namespace paceline {
namespace {

constexpr int most_devices = 1 << 20;

std::vector<int> counts(const JsonValue& value, int most) {
  std::vector<int> list;
  for (const JsonValue& item : value.array()) list.push_back(static_cast<int>(item.integer(1, most)));
  if (list.empty()) value.fail("at least one number");
  return list;
}

StudyPlatform read_platform(const JsonValue& value) {
  JsonObject object = value.object();
  StudyPlatform platform{value, {}, {}, {}};
  if (const auto strategies = object.optional("strategies")) platform.strategies = strategies->array();
  if (const auto sizes = object.optional("sizes")) platform.devices = counts(*sizes, most_devices);
  if (const auto nodes = object.optional("nodes")) platform.nodes = counts(*nodes, most_devices);
  return platform;
}

class CaseWriter {
 public:
  CaseWriter(const Catalog& catalog, Study& study, const StudyPlatform& platform)
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
  const StudyPlatform& platform_;
};

struct Choice {
  Scenario scenario;
  bool preset = false;
};

std::vector<Choice> choices_of(const StudyCaseReader& reader, const StudyPlatform& platform,
                               const Scenario& plain) {
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
void add_cases(CaseWriter writer, const StudyCaseReader& reader, const StudyPlatform& platform) {
  Scenario plain = reader.read(std::nullopt);
  const std::vector<Choice> choices = choices_of(reader, platform, plain);
  Scenario alone = plain;
  alone.strategy = unsplit(alone.strategy);
  writer.add(std::move(alone), 1);
  for (const Choice& choice : choices) writer.add_sizes(choice.scenario);
  constexpr auto ddp = StrategyKind::distributed_data_parallel;
  const auto is_preset = [](const Choice& choice) { return choice.preset; };
  const auto is_ddp = [](const Choice& choice) {
    return !choice.preset && choice.scenario.strategy.kind == ddp;
  };
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
  std::vector<StudyPlatform> platforms;
  for (const JsonValue& value : object.required("platforms").array())
    platforms.push_back(read_platform(value));
  if (models.empty()) object.required("models").fail("at least one model");
  if (platforms.empty()) object.required("platforms").fail("at least one platform");
  object.finish();
  for (const JsonValue& model : models) {
    for (const StudyPlatform& platform : platforms) {
      std::vector<JsonValue> common = defaults;
      common.push_back(model);
      add_cases(CaseWriter(catalog, study, platform), StudyCaseReader(catalog, std::move(common), platform),
                platform);
    }
  }
  drop_repeated_cases(study);
  return study;
}

}  // namespace paceline
