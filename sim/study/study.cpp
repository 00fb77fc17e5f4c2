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
#include "sim/study/scenario_strategy.h"
#include "sim/study/split_text.h"

namespace paceline {
namespace {

Scenario one_device(Scenario scenario) {
  scenario.devices = 1;
  scenario.devices_per_node.reset();
  scenario.strategy = unsplit(scenario.strategy);
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

StudyCase study_case(const Catalog& catalog, Scenario scenario) {
  std::string model = catalog.models.title(scenario.model);
  std::string cluster = catalog.hardware.cluster(scenario.cluster).title;
  return {std::move(scenario), std::move(model), std::move(cluster)};
}

Study scaling_study(const Catalog& catalog, const Scenario& scenario, const std::vector<int>& devices) {
  Study study;
  study.name = "scaling";
  study.title = "Scaling of " + catalog.models.title(scenario.model);
  for (const int count : devices) {
    Scenario each = scenario;
    each.devices = count;
    if (count == 1 && scenario.strategy.kind != StrategyKind::distributed_data_parallel)
      each.strategy = unsplit(each.strategy);
    study.cases.push_back(study_case(catalog, std::move(each)));
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
  if (row.prediction.split) json["split"] = split_json(*row.prediction.split);
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
