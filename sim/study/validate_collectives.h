// Judging predicted times of collectives by published tables.
#pragma once

#include <string>
#include <vector>

#include "base/table.h"
#include "sim/study/published_collectives.h"

namespace paceline {

struct JudgedPoint {
  CollectivePoint point;
  Seconds predicted;
  std::string algorithm, protocol;
  double low = 1, high = 1;  // nine of ten measurements lie between predicted * low and predicted * high
  // |ln(predicted / measured)|
  [[nodiscard]] double error() const;
  [[nodiscard]] bool is_inside() const;
};

struct JudgedTable {
  PublishedCollective table;
  std::vector<JudgedPoint> points;  // outliers and unasked points are left out
  std::string why_not;              // no prediction
  double median = 0, p90 = 0;
  // Median of ln(measured / predicted): positive when the machine is slower than predicted.
  double bias = 0;
};

struct PointErrors {
  std::string name;
  std::size_t tables = 0, points = 0;
  double median = 0, p90 = 0, within_two = 0, inside = 0;  // shares of the points
};

struct CollectiveValidation {
  std::vector<JudgedTable> tables;
  std::vector<PointErrors> regimes;  // one-node-small, ..., multi-node-large
  std::vector<PointErrors> classes;  // of hardware
  std::size_t unstated = 0;          // healthy tables whose machine is not stated well enough to be asked
};

// What a prediction may know besides the catalog.
enum class CollectiveKnowledge { catalog, half_of_the_sizes };

// `files` empty: every file of kind collectives in the catalog's published folder. Unhealthy tables are read
// and left out.
[[nodiscard]] CollectiveValidation validate_collectives(const Catalog& catalog,
                                                        const std::string& data_folder,
                                                        std::vector<std::string> files,
                                                        CollectiveKnowledge knowledge);

[[nodiscard]] Table collective_validation_table(const CollectiveValidation& validation);
// The tables with the largest median errors, each with what is known of the reason.
[[nodiscard]] Table worst_collectives_table(const CollectiveValidation& validation, std::size_t most);
[[nodiscard]] Table unasked_collectives_table(const CollectiveValidation& validation);
// "paceline/collective-validation-1": every point, times in microseconds.
[[nodiscard]] std::string collective_validation_json(const CollectiveValidation& validation);

}  // namespace paceline
