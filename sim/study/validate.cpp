#include "sim/study/validate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/statistics.h"
#include "sim/study/core_groups.h"
#include "sim/study/parallel.h"
#include "sim/study/predict.h"
#include "sim/study/published_factors.h"

namespace paceline {
namespace {

void judge(const Catalog& catalog, JudgedRow& judged) {
  judged.why_not = judged.row.why_not;
  if (!judged.row.scenario) return;
  Profile profile;
  profile.device = judged.row.cluster->device;
  profile.sustained_clock = judged.row.sustained_clock;
  try {
    const Prediction prediction =
        predict(catalog, *judged.row.scenario, profile.sustained_clock ? &profile : nullptr);
    judged.predicted = prediction.step;
    judged.inside = judged.row.step && *judged.row.step >= prediction.step_low &&
                    *judged.row.step <= prediction.step_high;
  } catch (const Error& error) {
    judged.why_not = error.what();
    return;
  }
  if (judged.row.step && judged.row.judged) judged.bias = std::log(*judged.predicted / *judged.row.step);
  if (judged.bias) judged.error = std::abs(*judged.bias);
}

using Members = std::vector<const JudgedRow*>;

GroupErrors errors_of(const std::string& name, const Members& members,
                      const std::map<std::string, double>& weights) {
  GroupErrors group;
  group.name = name;
  std::vector<WeightedValue> errors, biases, efficiencies;
  double weight_sum = 0;
  for (const JudgedRow* row : members) {
    if (!row->row.judged || !row->row.step) continue;
    ++group.rows;
    if (!row->error) continue;
    ++group.answered;
    const double weight = weights.at(row->row.group);
    errors.push_back({*row->error, weight});
    biases.push_back({*row->bias, weight});
    group.mean += *row->error * weight;
    group.mean_percentage += std::abs(std::exp(*row->bias) - 1) * weight;
    group.inside += row->inside ? weight : 0;
    weight_sum += weight;
    group.max = std::max(group.max, *row->error);
    if (row->efficiency)
      efficiencies.push_back({std::abs(*row->efficiency - *row->measured_efficiency), weight});
  }
  if (errors.empty()) return group;
  group.mean /= weight_sum;
  group.mean_percentage /= weight_sum;
  group.bias = weighted_quantile(biases, 0.5);
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

void judge_all(const Catalog& catalog, std::vector<JudgedRow>& rows) {
  for_each_index(rows.size(), [&](std::size_t index) { judge(catalog, rows[index]); });
}

double mean_error_at(const Catalog& catalog, std::vector<JudgedRow> rows, double clock) {
  for (JudgedRow& row : rows) row.row.sustained_clock = clock;
  judge_all(catalog, rows);
  Members all;
  for (const JudgedRow& row : rows) all.push_back(&row);
  return errors_of("", all, group_weights(rows)).mean;
}

// By sections of the golden ratio, to half a percent: errors fall and rise once as the clock grows.
double fitted_clock(const Catalog& catalog, const std::vector<JudgedRow>& rows) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = 0.5, high = 1.1;
  double first = high - ratio * (high - low), second = low + ratio * (high - low);
  double error_first = mean_error_at(catalog, rows, first),
         error_second = mean_error_at(catalog, rows, second);
  while (high - low > 0.005) {
    if (error_first < error_second) {
      high = second, second = first, error_second = error_first;
      first = high - ratio * (high - low);
      error_first = mean_error_at(catalog, rows, first);
    } else {
      low = first, first = second, error_first = error_second;
      second = low + ratio * (high - low);
      error_second = mean_error_at(catalog, rows, second);
    }
  }
  return (low + high) / 2;
}

}  // namespace

Validation validate_training(const Catalog& catalog, const std::string& data_folder,
                             std::vector<std::string> files, TrainingKnowledge knowledge) {
  if (files.empty()) files = published_files(data_folder + "/published", "training");
  Validation validation;
  Catalog machines = catalog;
  std::set<std::string> known;
  for (const std::string& file : files) {
    for (PublishedRow& row : read_published(catalog, file).rows) {
      if (row.cluster && known.insert(row.cluster->name).second) machines.hardware.add_cluster(*row.cluster);
      if (row.model) machines.models.add(row.model->name, row.model->recipe);
      JudgedRow judged;
      judged.row = std::move(row);
      validation.rows.push_back(std::move(judged));
    }
  }
  if (knowledge == TrainingKnowledge::one_clock) {
    validation.calibrated_clock = fitted_clock(machines, validation.rows);
    for (JudgedRow& row : validation.rows) row.row.sustained_clock = validation.calibrated_clock;
  }
  judge_all(machines, validation.rows);
  add_efficiencies(validation.rows);
  validation.directions = directions_of(validation.rows);
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

}  // namespace paceline
