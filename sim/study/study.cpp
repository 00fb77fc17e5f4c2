#include "sim/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "sim/study/case_names.h"
#include "sim/study/parallel.h"

namespace paceline {
namespace {

constexpr int most_devices = 1 << 20;

struct Platform {
  JsonValue value;  // its own fields and those of a scenario
  std::vector<StrategyKind> strategies;
  std::vector<int> devices;
  std::vector<int> nodes;  // of DDP
};

std::vector<int> counts(const JsonValue& value, int most) {
  std::vector<int> list;
  for (const JsonValue& item : value.array()) list.push_back(static_cast<int>(item.integer(1, most)));
  if (list.empty()) value.fail("at least one number");
  return list;
}

// The fields of a scenario in one of a study's objects, of which `object` knows the others.
Scenario read_part(JsonObject& object, const Scenario& base) {
  if (const auto devices = object.optional("devices"))
    devices->fail("no such field in a study",
                  "list numbers of devices as \"sizes\" or \"nodes\" of a platform");
  Scenario scenario = read_scenario_fields(object, base);
  object.finish();
  return scenario;
}

Platform read_platform(const JsonValue& value) {
  JsonObject object = value.object();
  Platform platform{value, {}, {}, {}};
  if (const auto strategies = object.optional("strategies")) {
    for (const JsonValue& name : strategies->array())
      platform.strategies.push_back(static_cast<StrategyKind>(name.choice(strategy_names())));
  }
  if (platform.strategies.empty())
    platform.strategies = {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel};
  if (const auto sizes = object.optional("sizes")) platform.devices = counts(*sizes, most_devices);
  if (const auto nodes = object.optional("nodes")) platform.nodes = counts(*nodes, most_devices);
  return platform;
}

Scenario scenario_on(const Platform& platform, const Scenario& model) {
  JsonObject object = platform.value.object();
  for (const char* list : {"strategies", "sizes", "nodes"}) static_cast<void>(object.optional(list));
  return read_part(object, model);
}

void add_case(const Catalog& catalog, Study& study, Scenario scenario, StrategyKind kind, int devices) {
  scenario.strategy.kind = kind;
  scenario.devices = devices;
  study.cases.push_back(
      {scenario, catalog.models.title(scenario.model), catalog.hardware.cluster(scenario.cluster).title});
}

// One device first, then each strategy at each size of a node, then DDP over more nodes.
void add_cases(const Catalog& catalog, Study& study, const Scenario& scenario, const Platform& platform) {
  static_cast<void>(catalog.models.build(scenario.model, scenario.input));
  static_cast<void>(catalog.frameworks.framework(scenario.strategy.framework));
  const int whole = catalog.hardware.cluster(scenario.cluster).devices_per_node;
  add_case(catalog, study, scenario, StrategyKind::single, 1);
  for (const StrategyKind kind : platform.strategies) {
    for (const int devices : platform.devices.empty() ? std::vector<int>{whole} : platform.devices)
      if (devices > 1) add_case(catalog, study, scenario, kind, devices);
  }
  const int per_node = scenario.devices_per_node.value_or(whole);
  for (const int nodes : platform.nodes) {
    if (nodes > most_devices / per_node) {
      throw InputError("nodes", fmt::format("{} of {} devices", nodes, per_node),
                       fmt::format("at most {} devices", most_devices), "use fewer nodes");
    }
    add_case(catalog, study, scenario, StrategyKind::distributed_data_parallel, nodes * per_node);
  }
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

Scenario one_device(Scenario scenario) {
  scenario.devices = 1;
  scenario.devices_per_node.reset();
  scenario.strategy.kind = StrategyKind::single;
  return scenario;
}

// The row of one device with the same model, batch and cluster, or its prediction if the study has none.
void compare_with_one_device(const Catalog& catalog, const Profile* profile, std::vector<StudyRow>& rows) {
  std::map<std::string, double> alone;
  for (const StudyRow& row : rows)
    if (row.input.scenario.devices == 1 && row.input.scenario.strategy.kind == StrategyKind::single)
      alone[to_json(one_device(row.input.scenario))] = row.prediction.samples_per_second;
  for (StudyRow& row : rows) {
    const Scenario base = one_device(row.input.scenario);
    const std::string key = to_json(base);
    if (!alone.contains(key)) alone[key] = predict(catalog, base, profile).samples_per_second;
    row.speedup = row.prediction.samples_per_second / alone[key];
    row.scaling_efficiency = row.speedup / row.input.scenario.devices;
  }
}

std::string gib(Bytes bytes) { return fmt::format("{:.2f}", bytes / gibibytes(1)); }
std::string milli(Seconds time) { return fmt::format("{:.2f}", time.value() * 1e3); }

}  // namespace

Study read_study(const Catalog& catalog, const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/study-1");
  Study study;
  study.name = read_name(object.required("name"));
  study.title = object.required("title").string();
  Scenario defaults;
  if (const auto common = object.optional("defaults")) {
    JsonObject fields = common->object();
    defaults = read_part(fields, defaults);
  }
  std::vector<Scenario> models;
  for (const JsonValue& value : object.required("models").array()) {
    JsonObject fields = value.object();
    models.push_back(read_part(fields, defaults));
  }
  std::vector<Platform> platforms;
  for (const JsonValue& value : object.required("platforms").array())
    platforms.push_back(read_platform(value));
  if (models.empty()) object.required("models").fail("at least one model");
  if (platforms.empty()) object.required("platforms").fail("at least one platform");
  object.finish();
  for (const Scenario& model : models)
    for (const Platform& platform : platforms)
      add_cases(catalog, study, scenario_on(platform, model), platform);
  drop_repeated_cases(study);
  return study;
}

Study scaling_study(const Catalog& catalog, const Scenario& scenario, const std::vector<int>& devices) {
  Study study;
  study.name = "scaling";
  study.title = "Scaling of " + catalog.models.title(scenario.model);
  for (const int count : devices) {
    const bool alone = count == 1 && scenario.strategy.kind != StrategyKind::distributed_data_parallel;
    add_case(catalog, study, scenario, alone ? StrategyKind::single : scenario.strategy.kind, count);
  }
  return study;
}

std::vector<StudyRow> run_study(const Catalog& catalog, const Study& study, const Profile* profile,
                                bool with_timelines, const Progress& progress) {
  std::vector<StudyRow> rows(study.cases.size());
  std::vector<std::exception_ptr> failures(rows.size());
  std::atomic<std::size_t> done{0};
  for_each_index(rows.size(), [&](std::size_t index) {
    StudyRow& row = rows[index];
    row.input = study.cases[index];
    try {
      row.prediction =
          predict(catalog, row.input.scenario, profile, with_timelines ? &row.timeline : nullptr);
    } catch (...) {
      failures[index] = std::current_exception();
    }
    const std::size_t finished = ++done;
    if (progress) progress(finished, rows.size());
  });
  // The first in the order of the cases, whichever thread failed first.
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  compare_with_one_device(catalog, profile, rows);
  return rows;
}

Table study_table(const std::vector<StudyRow>& rows) {
  Table table;
  table.columns = {{"model", false},    {"cluster", false}, {"strategy", false}, {"GPUs"},
                   {"step ms"},         {"samples/s"},      {"speedup"},         {"efficiency %"},
                   {"exposed comm ms"}, {"share %"},        {"slowed ms"},       {"GPU 0 peak GiB"},
                   {"others GiB"},      {"fits", false}};
  const std::vector<std::string> titles = case_titles(rows);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const StudyRow& row = rows[index];
    const Prediction& prediction = row.prediction;
    const Scenario& scenario = row.input.scenario;
    const Seconds exposed = prediction.breakdown.exposed_communication;
    table.rows.push_back(
        {titles[index], scenario.cluster, title_of(scenario.strategy.kind), std::to_string(scenario.devices),
         milli(prediction.step), fmt::format("{:.1f}", prediction.samples_per_second),
         fmt::format("{:.2f}", row.speedup), fmt::format("{:.1f}", row.scaling_efficiency * 100),
         milli(exposed), fmt::format("{:.1f}", exposed / prediction.step * 100),
         milli(prediction.breakdown.contention), gib(prediction.first_device_peak()),
         scenario.devices > 1 ? gib(prediction.other_device_peak()) : "-",
         prediction.out_of_memory ? fmt::format("OOM, {} over by {}", prediction.out_of_memory->rank,
                                                to_binary_string(prediction.out_of_memory->over))
                                  : "yes"});
  }
  return table;
}

namespace {

using Json = nlohmann::ordered_json;

Json memory_json(const Prediction& prediction) {
  Json ranks = Json::array();
  for (const RankMemory& rank : prediction.memory) {
    Json causes;
    for (std::size_t cause = 0; cause < memory_cause_count; ++cause)
      if (rank.at_peak[cause].value() != 0)
        causes[std::string(to_string(static_cast<MemoryCause>(cause)))] = rank.at_peak[cause].value();
    ranks.push_back({{"rank", rank.name},
                     {"ranks", rank.multiplicity},
                     {"peak_bytes", rank.peak.value()},
                     {"peak_at_s", rank.peak_time.value()},
                     {"peak_phase", rank.peak_phase},
                     {"at_peak_bytes", std::move(causes)}});
  }
  return ranks;
}

Json row_json(const StudyRow& row, const std::string& name) {
  const Prediction& p = row.prediction;
  Json messages = Json::array();
  for (const Bytes message : p.messages) messages.push_back(message.value());
  Json json{
      {"case", name},
      {"scenario", Json::parse(to_json(row.input.scenario))},
      {"nodes", p.nodes},
      {"step_s", p.step.value()},
      {"step_low_s", p.step_low.value()},
      {"step_high_s", p.step_high.value()},
      {"closed_form_step_s", p.estimate.value()},
      {"global_batch", p.global_batch},
      {"samples_per_s", p.samples_per_second},
      {"speedup", row.speedup},
      {"scaling_efficiency", row.scaling_efficiency},
      {"forward_s", p.breakdown.forward.value()},
      {"backward_s", p.breakdown.backward.value()},
      {"optimizer_s", p.breakdown.optimizer.value()},
      {"communication_s", p.breakdown.communication.value()},
      {"exposed_communication_s", p.breakdown.exposed_communication.value()},
      {"exposed_communication_share", p.breakdown.exposed_communication / p.step},
      {"contention_s", p.breakdown.contention.value()},
      {"idle_s", p.breakdown.idle.value()},
      {"gradient_messages_bytes", std::move(messages)},
      {"device_memory_bytes", p.capacity.value()},
      {"memory_imbalance", p.imbalance},
      {"memory", memory_json(p)},
      {"provenance",
       {{"modelled", p.provenance[0]}, {"interpolated", p.provenance[1]}, {"measured", p.provenance[2]}}},
      {"notes", p.notes}};
  if (p.out_of_memory) {
    json["out_of_memory"] = {{"rank", p.out_of_memory->rank},
                             {"over_bytes", p.out_of_memory->over.value()},
                             {"phase", p.out_of_memory->phase}};
  }
  return json;
}

}  // namespace

std::string study_json(const Study& study, const std::vector<StudyRow>& rows) {
  Json json{{"format", "paceline/study-result-1"}, {"name", study.name}, {"title", study.title}};
  json["rows"] = Json::array();
  const std::vector<std::string> names = case_names(rows);
  for (std::size_t index = 0; index < rows.size(); ++index)
    json["rows"].push_back(row_json(rows[index], names[index]));
  return json.dump(1) + "\n";
}

}  // namespace paceline
