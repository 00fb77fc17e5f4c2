#include "probe/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/statistics.h"

namespace paceline {
namespace {

constexpr double stable_within = 0.05;
constexpr int fewest_samples = 3;  // without three there is no spread to report
constexpr std::size_t window = 3;
constexpr int most_repetitions = 1 << 20;

// Doubles the repetitions until one sample is long enough for the clock's resolution and cost not to count.
int enough_repetitions(const TimedRun& run, Seconds least_sample) {
  run(1);  // the first run pays for page faults, lazy loading and threads that start
  int repetitions = 1;
  while (repetitions < most_repetitions && run(repetitions) < least_sample) repetitions *= 2;
  return repetitions;
}

double window_median(const std::vector<double>& values, std::size_t end) {
  const auto at = [&](std::size_t index) { return values.begin() + static_cast<std::ptrdiff_t>(index); };
  return median(std::vector<double>(at(end - window), at(end)));
}

// Stable: the medians of the last two windows of three agree, so that frequency and caches have settled.
bool is_stable(const std::vector<double>& values) {
  if (values.size() < 2 * window) return false;
  const double before = window_median(values, values.size() - window);
  const double now = window_median(values, values.size());
  return std::abs(now - before) <= stable_within * before;
}

}  // namespace

Clock steady_clock() {
  return [] {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return Seconds(std::chrono::duration<double>(since_start).count());
  };
}

TimedRun timed_by(const Clock& clock, std::function<void(int repetitions)> operation) {
  return [clock, operation = std::move(operation)](int repetitions) {
    const Seconds start = clock();
    operation(repetitions);
    return clock() - start;
  };
}

Effort full_effort() { return {}; }

Effort quick_effort() {
  Effort effort;
  effort.warm_up_limit = milliseconds(50);
  effort.budget = milliseconds(200);
  effort.precision = 0.02;
  return effort;
}

Measurement measure(const TimedRun& run, const Clock& clock, const Effort& effort) {
  const Seconds warm_up_start = clock();
  const int repetitions = enough_repetitions(run, effort.least_sample);
  const auto sample = [&] { return run(repetitions).value() / repetitions; };

  std::vector<double> values;
  while (!is_stable(values) && clock() - warm_up_start < effort.warm_up_limit) values.push_back(sample());

  values.clear();
  const Seconds start = clock();
  std::size_t next_check = static_cast<std::size_t>(effort.least_samples);
  while (values.size() < static_cast<std::size_t>(effort.most_samples)) {
    if (values.size() >= fewest_samples && clock() - start >= effort.budget) break;
    values.push_back(sample());
    if (values.size() < next_check) continue;
    if (relative_half_width(values) <= effort.precision) break;
    next_check += 1 + next_check / 4;  // sorting after every sample would disturb the caches being measured
  }
  return summarise(values);
}

double relative_half_width(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double count = static_cast<double>(values.size());
  // The median lies between the order statistics n/2 -+ 0.98 sqrt(n) with 95 %, whatever the distribution.
  const double lower_rank = std::floor((count - 1.96 * std::sqrt(count)) / 2);
  const double upper_rank = std::ceil(1 + (count + 1.96 * std::sqrt(count)) / 2);
  const double lower = values[static_cast<std::size_t>(std::max(lower_rank, 1.0)) - 1];
  const double upper = values[static_cast<std::size_t>(std::min(upper_rank, count)) - 1];
  return (upper - lower) / 2 / median(std::move(values));
}

Measurement summarise(const std::vector<double>& seconds) {
  constexpr double trusted_within = 0.05;
  constexpr double widest_spread = 0.33;
  Measurement result;
  result.median = Seconds(median(seconds));
  result.median_absolute_deviation = Seconds(median_absolute_deviation(seconds));
  result.p5 = Seconds(quantile(seconds, 0.05));
  result.p95 = Seconds(quantile(seconds, 0.95));
  result.samples = static_cast<int>(seconds.size());
  result.noisy = relative_half_width(seconds) > trusted_within ||
                 (result.p95 - result.p5) / result.median > widest_spread;
  return result;
}

}  // namespace paceline
