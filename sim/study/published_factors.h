// What published rows differ in, and whether predictions turn the same way where one thing alone differs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/validate.h"

namespace paceline {

// Name of each factor of the row's scenario, with its value in words: "tensor degree", "micro-batch".
using RowFactors = std::map<std::string, std::string>;
[[nodiscard]] RowFactors factors_of(const PublishedRow& row);

// The one factor that tells two rows apart, or "". Batches that follow from another factor do not count: the
// micro-batches of a step when the micro-batch changes at a constant batch, or the batch when the sequence
// changes. Nothing is said of rows on different machines or of different frameworks.
[[nodiscard]] std::string single_factor(const PublishedRow& a, const PublishedRow& b);

// Sets each row's throughput per device over that of the smallest size of the same configuration.
void add_efficiencies(std::vector<JudgedRow>& rows);

// By group and factor, over all pairs of a group that differ in that factor alone.
[[nodiscard]] std::vector<FactorDirection> directions_of(const std::vector<JudgedRow>& rows);

}  // namespace paceline
