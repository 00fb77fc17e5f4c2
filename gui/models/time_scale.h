// Time to pixels and back, with the moves of a viewer. Pixel 0 is the left edge of the time area.
#pragma once

#include <string>
#include <vector>

#include "traces/timeline.h"

namespace paceline::gui {

struct TimeRange {
  Nanoseconds begin = 0, end = 0;
  [[nodiscard]] double length() const { return static_cast<double>(end - begin); }
};

struct TimeScale {
  double origin = 0;        // nanoseconds at pixel 0
  double per_pixel = 1000;  // nanoseconds

  [[nodiscard]] double x(Nanoseconds time) const { return (static_cast<double>(time) - origin) / per_pixel; }
  [[nodiscard]] double time(double x) const { return origin + x * per_pixel; }

  void fit(TimeRange range, double width);  // with a small margin on both sides
  void zoom(double factor, double x);       // above 1 comes nearer; the time at x stays at x
  void pan(double pixels) { origin += pixels * per_pixel; }
  // Keeps at least a part of `whole` in view, and between a few nanoseconds and a few times the whole.
  void limit(TimeRange whole, double width);
};

struct TimeTick {
  double time = 0;  // nanoseconds
  std::string label;
};
// At round times, about `spacing` pixels apart, with as many decimals as tell them apart.
[[nodiscard]] std::vector<TimeTick> time_ticks(const TimeScale& scale, double width, double spacing);

}  // namespace paceline::gui
