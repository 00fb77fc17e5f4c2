// Order statistics of small samples.
#pragma once

#include <vector>

namespace paceline {

// Quantile q in [0, 1] by linear interpolation between order statistics. Precondition: not empty.
double quantile(std::vector<double> values, double q);

double median(std::vector<double> values);

// Median absolute deviation from the median, not scaled.
double median_absolute_deviation(const std::vector<double>& values);

// Quantile of weighted values: the smallest value at which the cumulated weight reaches q of the total.
struct WeightedValue {
  double value;
  double weight;
};
double weighted_quantile(std::vector<WeightedValue> values, double q);

}  // namespace paceline
