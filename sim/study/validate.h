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
  std::string why_not;  // no prediction
  // |ln(predicted / measured)| of the step, when both exist and the row may be judged absolutely.
  std::optional<double> error;
  // Throughput per GPU over that of the smallest size of the same configuration.
  std::optional<double> efficiency, measured_efficiency;
};

struct GroupErrors {
  std::string name;
  std::size_t rows = 0, answered = 0;
  double median = 0, p90 = 0, mean = 0, max = 0;
  std::optional<double> efficiency_median;  // absolute difference, 1 = 100 points
};

struct Validation {
  std::vector<JudgedRow> rows;
  std::vector<GroupErrors> groups;      // core groups first
  std::vector<GroupErrors> categories;  // each group weighs the same
  std::vector<GroupErrors> qualities;   // "
  GroupErrors all;
};

// `files` empty: every training file in the catalog's published folder.
[[nodiscard]] Validation validate_training(const Catalog& catalog, const std::string& data_folder,
                                           std::vector<std::string> files);

[[nodiscard]] Table validation_table(const Validation& validation);
[[nodiscard]] std::string validation_json(const Validation& validation);  // "paceline/validation-1", times in ms

}  // namespace paceline
