#include "gui/models/counter_lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/quantity.h"

namespace paceline::gui {
namespace {

std::string level_text(double value, const std::string& unit) {
  if (unit == "bytes") return to_binary_string(Bytes(value));
  return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

}  // namespace

CounterLane::CounterLane(const Timeline& timeline, const Counter& counter)
    : title_(timeline.strings[counter.name]) {
  std::vector<std::size_t> order(counter.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counter.times[a] < counter.times[b]; });
  for (const std::size_t index : order) {
    times_.push_back(counter.times[index]);
    values_.push_back(counter.values[index]);
    peak_ = std::max(peak_, counter.values[index]);
  }
  peak_text_ = "peak " + level_text(peak_, timeline.strings[counter.unit]);
}

std::vector<double> CounterLane::levels(const TimeScale& scale, int width) const {
  std::vector<double> levels(static_cast<std::size_t>(std::max(0, width)), 0);
  const auto before =
      std::lower_bound(times_.begin(), times_.end(), scale.origin,
                       [](Nanoseconds time, double x) { return static_cast<double>(time) < x; });
  auto next = static_cast<std::size_t>(before - times_.begin());
  double held = next > 0 ? values_[next - 1] : 0;
  for (std::size_t pixel = 0; pixel < levels.size(); ++pixel) {
    const double begin = scale.time(static_cast<double>(pixel));
    const double end = scale.time(static_cast<double>(pixel) + 1);
    for (; next < times_.size() && static_cast<double>(times_[next]) <= begin; ++next) held = values_[next];
    double highest = held;
    for (; next < times_.size() && static_cast<double>(times_[next]) < end; ++next) {
      held = values_[next];
      highest = std::max(highest, held);
    }
    levels[pixel] = highest;
  }
  return levels;
}

}  // namespace paceline::gui
