#include "gui/models/time_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace paceline::gui {
namespace {

constexpr double margin = 0.02;             // of the width, on each side of what is fitted
constexpr double nearest_per_pixel = 0.01;  // a nanosecond is then 100 pixels wide
constexpr double farthest = 4;              // times the whole

// 1, 2 or 5 times a power of ten, not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

struct Unit {
  double nanoseconds;
  const char* name;
};

// The largest unit of which the step is at least a tenth: "20 ms", not "0.02 s".
Unit unit_of(double step) {
  static constexpr std::array<Unit, 3> units{Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}};
  for (const Unit& unit : units)
    if (step >= unit.nanoseconds / 10 * (1 - 1e-9)) return unit;
  return {1, "ns"};
}

}  // namespace

void TimeScale::fit(TimeRange range, double width) {
  const double inner = std::max(1.0, width * (1 - 2 * margin));
  per_pixel = std::max(range.length() / inner, nearest_per_pixel);
  origin = static_cast<double>(range.begin) - (width - range.length() / per_pixel) / 2 * per_pixel;
}

void TimeScale::zoom(double factor, double x) {
  const double fixed = time(x);
  per_pixel /= factor;
  origin = fixed - x * per_pixel;
}

void TimeScale::limit(TimeRange whole, double width) {
  width = std::max(width, 1.0);
  const double most = std::max(whole.length() * farthest / width, nearest_per_pixel * 10);
  if (per_pixel < nearest_per_pixel || per_pixel > most) {
    const double middle = time(width / 2);
    per_pixel = std::clamp(per_pixel, nearest_per_pixel, most);
    origin = middle - width / 2 * per_pixel;
  }
  const double view = width * per_pixel;
  const double first = static_cast<double>(whole.begin) - view * 0.9;
  const double last = static_cast<double>(whole.end) - view * 0.1;
  origin = std::clamp(origin, std::min(first, last), std::max(first, last));
}

std::vector<TimeTick> time_ticks(const TimeScale& scale, double width, double spacing) {
  const double step = round_step(std::max(scale.per_pixel * spacing, 1e-3));
  const Unit unit = unit_of(step);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit.nanoseconds) - 1e-9)));
  std::vector<TimeTick> ticks;
  const double last = scale.time(width);
  for (double index = std::ceil(scale.origin / step); index * step <= last; ++index) {
    const double time = index * step + 0.0;  // no minus zero
    ticks.push_back({time, fmt::format("{:.{}f} {}", time / unit.nanoseconds, decimals, unit.name)});
  }
  return ticks;
}

}  // namespace paceline::gui
