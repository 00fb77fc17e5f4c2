// Judging predictions by published measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "sim/study/published.h"

namespace paceline {

struct JudgedRow {
  PublishedRow row;
  std::optional<Seconds> predicted;
  bool inside = false;  // the measured step lies inside the predicted interval
  std::string why_not;  // no prediction
  // |ln(predicted / measured)| of the step, when both exist and the row may be judged absolutely.
  std::optional<double> error;
  std::optional<double> bias;  // the same with its sign
  // Throughput per GPU over that of the smallest size of the same configuration.
  std::optional<double> efficiency, measured_efficiency;
};

struct GroupErrors {
  std::string name;
  std::size_t rows = 0, answered = 0;
  double median = 0, p90 = 0, mean = 0, max = 0;
  double bias = 0;             // median of ln(predicted / measured)
  double mean_percentage = 0;  // mean of |predicted / measured - 1|, as publications of simulators give it
  double inside = 0;           // share of the rows that lie inside the predicted interval
  std::optional<double> efficiency_median;  // absolute difference, 1 = 100 points
};

// Pairs of a group's rows that differ in one factor alone and in their measured device time by more than 3 %.
struct FactorDirection {
  std::string group, factor;
  std::size_t pairs = 0, agreed = 0;  // agreed: the predicted difference has the same sign
};

struct Validation {
  std::vector<JudgedRow> rows;
  std::vector<GroupErrors> groups;      // core groups first
  std::vector<GroupErrors> categories;  // each group weighs the same
  std::vector<GroupErrors> qualities;   // "
  GroupErrors all;
  std::vector<FactorDirection> directions;  // by factor and group
  std::optional<double> calibrated_clock;   // one for all rows, fitted to them
};

// What a validation may know beside the catalog. one_clock: the sustained clock of the rows' devices, one
// value for all of them, that leaves the least mean error, each group weighing the same; for publications of
// one machine, and for comparison with simulators that were calibrated on it.
enum class TrainingKnowledge { catalog, one_clock };

// `files` empty: every training file in the catalog's published folder.
[[nodiscard]] Validation validate_training(const Catalog& catalog, const std::string& data_folder,
                                           std::vector<std::string> files,
                                           TrainingKnowledge knowledge = TrainingKnowledge::catalog);

// Groups of which no row is answered are left out; the categories count them.
[[nodiscard]] Table validation_table(const Validation& validation);
// For each factor: how often predictions turn the way measurements do.
[[nodiscard]] Table directions_table(const Validation& validation);
// Why rows are not answered, the most frequent reasons first; the rest is summed up in a last row.
[[nodiscard]] Table unanswered_table(const Validation& validation, std::size_t most);
[[nodiscard]] std::string validation_json(
    const Validation& validation);  // "paceline/validation-1", times in ms

}  // namespace paceline
