#include "sim/study/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/statistics.h"
#include "sim/study/parallel.h"
#include "sim/study/predict.h"

namespace paceline {
namespace {

// Well sourced groups that vary one factor: what a first look should judge.
constexpr std::array core_groups{"ptddp-cnn-v100",
                                 "dle-rn50-mx-v100-16",
                                 "dle-bertl-squad-pt-v100",
                                 "dle-bertl-tf-a100-40-multinode",
                                 "mpt-scale-a100-40-7b",
                                 "mpt-seqlen-a100-80-13b",
                                 "mpt-seqlen-h100-3b",
                                 "titan-fsdp-8b",
                                 "mlperf-gpt3-h100",
                                 "dlperf-gpt-megatron-lm",
                                 "bs-heads",
                                 "mcore-mem-gpt-a100",
                                 "hf-dp-ddp-nvlink",
                                 "moezoo-qwen3-235b-h100"};

void judge(const Catalog& catalog, JudgedRow& judged) {
  judged.why_not = judged.row.why_not;
  if (!judged.row.scenario) return;
  try {
    const Prediction prediction = predict(catalog, *judged.row.scenario);
    judged.predicted = prediction.step;
    judged.inside = judged.row.step && *judged.row.step >= prediction.step_low &&
                    *judged.row.step <= prediction.step_high;
  } catch (const Error& error) {
    judged.why_not = error.what();
    return;
  }
  if (judged.row.step && judged.row.judged)
    judged.error = std::abs(std::log(*judged.predicted / *judged.row.step));
}

// Everything but the number of devices, the machine's size and what one device does not need: whichever
// library averages the gradients.
std::string configuration(const JudgedRow& row) {
  Scenario scenario = *row.row.scenario;
  scenario.name.clear();
  scenario.devices = 1;
  scenario.cluster = row.row.cluster->device;
  if (scenario.strategy.kind != StrategyKind::data_parallel)
    scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  return row.row.group + to_json(scenario);
}

// A plain run without the wrapper is not the same configuration as the wrapped one where both exist.
bool smaller(const JudgedRow& a, const JudgedRow& b) {
  const Scenario &x = *a.row.scenario, &y = *b.row.scenario;
  if (x.devices != y.devices) return x.devices < y.devices;
  return x.strategy.kind != StrategyKind::single && y.strategy.kind == StrategyKind::single;
}

void add_efficiencies(std::vector<JudgedRow>& rows) {
  std::map<std::string, std::vector<JudgedRow*>> families;
  for (JudgedRow& row : rows)
    if (row.predicted && row.row.step) families[configuration(row)].push_back(&row);
  for (auto& [key, members] : families) {
    const JudgedRow& base =
        **std::min_element(members.begin(), members.end(),
                           [](const JudgedRow* a, const JudgedRow* b) { return smaller(*a, *b); });
    for (JudgedRow* row : members) {
      if (row->row.scenario->devices == base.row.scenario->devices) continue;
      // Work per device is the same, so throughput per GPU goes as 1 / step.
      row->efficiency = *base.predicted / *row->predicted;
      row->measured_efficiency = *base.row.step / *row->row.step;
    }
  }
}

using Members = std::vector<const JudgedRow*>;

GroupErrors errors_of(const std::string& name, const Members& members,
                      const std::map<std::string, double>& weights) {
  GroupErrors group;
  group.name = name;
  std::vector<WeightedValue> errors, efficiencies;
  double weight_sum = 0;
  for (const JudgedRow* row : members) {
    if (!row->row.judged || !row->row.step) continue;
    ++group.rows;
    if (!row->error) continue;
    ++group.answered;
    const double weight = weights.at(row->row.group);
    errors.push_back({*row->error, weight});
    group.mean += *row->error * weight;
    group.inside += row->inside ? weight : 0;
    weight_sum += weight;
    group.max = std::max(group.max, *row->error);
    if (row->efficiency)
      efficiencies.push_back({std::abs(*row->efficiency - *row->measured_efficiency), weight});
  }
  if (errors.empty()) return group;
  group.mean /= weight_sum;
  group.inside /= weight_sum;
  group.median = weighted_quantile(errors, 0.5);
  group.p90 = weighted_quantile(errors, 0.9);
  if (!efficiencies.empty()) group.efficiency_median = weighted_quantile(efficiencies, 0.5);
  return group;
}

std::map<std::string, double> group_weights(const std::vector<JudgedRow>& rows) {
  std::map<std::string, double> counts;
  for (const JudgedRow& row : rows)
    if (row.error) counts[row.row.group] += 1;
  for (auto& [group, weight] : counts) weight = 1 / weight;
  return counts;
}

template <class Key>
std::vector<GroupErrors> errors_by(const std::vector<JudgedRow>& rows, Key key,
                                   const std::map<std::string, double>& weights) {
  std::map<std::string, Members> groups;
  for (const JudgedRow& row : rows) groups[key(row)].push_back(&row);
  std::vector<GroupErrors> list;
  for (const auto& [name, members] : groups) list.push_back(errors_of(name, members, weights));
  return list;
}

bool is_core(const std::string& group) {
  return std::find(core_groups.begin(), core_groups.end(), group) != core_groups.end();
}

}  // namespace

Validation validate_training(const Catalog& catalog, const std::string& data_folder,
                             std::vector<std::string> files) {
  if (files.empty()) files = published_files(data_folder + "/published", "training");
  Validation validation;
  Catalog machines = catalog;
  std::set<std::string> known;
  for (const std::string& file : files) {
    for (PublishedRow& row : read_published(catalog, file).rows) {
      if (row.cluster && known.insert(row.cluster->name).second) machines.hardware.add_cluster(*row.cluster);
      JudgedRow judged;
      judged.row = std::move(row);
      validation.rows.push_back(std::move(judged));
    }
  }
  for_each_index(validation.rows.size(), [&](std::size_t index) { judge(machines, validation.rows[index]); });
  add_efficiencies(validation.rows);
  const auto weights = group_weights(validation.rows);
  validation.groups = errors_by(
      validation.rows, [](const JudgedRow& row) { return row.row.group; }, weights);
  std::stable_partition(validation.groups.begin(), validation.groups.end(),
                        [](const GroupErrors& group) { return is_core(group.name); });
  validation.categories = errors_by(
      validation.rows, [](const JudgedRow& row) { return row.row.category; }, weights);
  validation.qualities = errors_by(
      validation.rows, [](const JudgedRow& row) { return row.row.quality; }, weights);
  Members all;
  for (const JudgedRow& row : validation.rows) all.push_back(&row);
  validation.all = errors_of("all", all, weights);
  return validation;
}

Table validation_table(const Validation& validation) {
  Table table{{{"of", false},
               {"name", false},
               {"rows"},
               {"answered"},
               {"median %"},
               {"p90 %"},
               {"mean %"},
               {"max %"},
               {"efficiency points"},
               {"inside interval %"}},
              {}};
  const auto percent = [](double value) { return fmt::format("{:.1f}", value * 100); };
  const auto add = [&](const char* kind, const GroupErrors& group) {
    if (group.rows == 0) return;
    const bool any = group.answered > 0;
    table.rows.push_back({kind, group.name, std::to_string(group.rows), std::to_string(group.answered),
                          any ? percent(group.median) : "-", any ? percent(group.p90) : "-",
                          any ? percent(group.mean) : "-", any ? percent(group.max) : "-",
                          group.efficiency_median ? percent(*group.efficiency_median) : "-",
                          any ? fmt::format("{:.0f}", group.inside * 100) : "-"});
  };
  for (const GroupErrors& group : validation.groups)
    if (group.answered > 0) add(is_core(group.name) ? "core group" : "group", group);
  for (const GroupErrors& group : validation.categories) add("category", group);
  for (const GroupErrors& group : validation.qualities) add("quality", group);
  add("all", validation.all);
  return table;
}

Table unanswered_table(const Validation& validation, std::size_t most) {
  std::map<std::string, int> counts;
  for (const JudgedRow& row : validation.rows)
    if (!row.why_not.empty()) ++counts[row.why_not];
  std::vector<std::pair<int, std::string>> reasons;
  for (const auto& [reason, count] : counts) reasons.emplace_back(count, reason);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table{{{"rows"}, {"not answered because", false}}, {}};
  int rest = 0;
  for (std::size_t index = 0; index < reasons.size(); ++index) {
    if (index < most)
      table.rows.push_back({std::to_string(reasons[index].first), reasons[index].second});
    else
      rest += reasons[index].first;
  }
  if (rest > 0)
    table.rows.push_back(
        {std::to_string(rest), fmt::format("{} other reasons; --json lists them", reasons.size() - most)});
  return table;
}

std::string validation_json(const Validation& validation) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", "paceline/validation-1"}, {"unit", "ms"}};
  const auto errors = [](const GroupErrors& group) {
    Json item{{"name", group.name}, {"rows", group.rows}, {"answered", group.answered}};
    const bool any = group.answered > 0;
    const auto add = [&](const char* name, double value) { item[name] = any ? Json(value) : Json(); };
    add("median", group.median);
    add("p90", group.p90);
    add("mean", group.mean);
    add("max", group.max);
    add("inside_interval", group.inside);
    if (group.efficiency_median) item["efficiency_median"] = *group.efficiency_median;
    return item;
  };
  for (const auto& [name, list] : {std::pair{"groups", &validation.groups},
                                   {"categories", &validation.categories},
                                   {"qualities", &validation.qualities}}) {
    json[name] = Json::array();
    for (const GroupErrors& group : *list) json[name].push_back(errors(group));
  }
  json["all"] = errors(validation.all);
  json["rows"] = Json::array();
  for (const JudgedRow& row : validation.rows) {
    const auto milli = [](const std::optional<Seconds>& time) {
      return time ? Json(time->value() * 1e3) : Json();
    };
    json["rows"].push_back(
        {{"id", row.row.id},
         {"group", row.row.group},
         {"predicted", milli(row.predicted)},
         {"measured", milli(row.row.step)},
         {"judged", row.row.judged},
         {"efficiency", row.efficiency ? Json(*row.efficiency) : Json()},
         {"measured_efficiency", row.measured_efficiency ? Json(*row.measured_efficiency) : Json()},
         {"why_not", row.why_not.empty() ? Json() : Json(row.why_not)}});
  }
  return json.dump(1) + "\n";
}

}  // namespace paceline
