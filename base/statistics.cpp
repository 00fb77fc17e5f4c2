#include "base/statistics.h"

#include <algorithm>
#include <cmath>

namespace paceline {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double median_absolute_deviation(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return median(std::move(distances));
}

double weighted_quantile(std::vector<WeightedValue> values, double q) {
  std::sort(values.begin(), values.end(),
            [](const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; });
  double total = 0;
  for (const WeightedValue& item : values) total += item.weight;
  double cumulated = 0;
  for (const WeightedValue& item : values) {
    cumulated += item.weight;
    // The tolerance keeps ten weights of 0.1 from missing 1.0 by rounding.
    if (cumulated >= q * total * (1 - 1e-12)) return item.value;
  }
  return values.back().value;
}

}  // namespace paceline
