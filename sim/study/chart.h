// Charts of a study as SVG text: lines on logarithmic axes, and grouped bars.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace paceline {

struct LineSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x and y above 0
  int color = 0;        // index of the palette
  bool dashed = false;
};
struct LineChart {
  std::string title, x_title, y_title;
  std::vector<LineSeries> series;
  bool ideal_line = false;  // y = x
};
// Both axes logarithmic with ticks at powers of two.
[[nodiscard]] std::string to_svg(const LineChart& chart);

struct BarGroup {
  std::string name;
  std::vector<double> values;     // one a series; negative = none
  std::optional<double> limit;    // drawn as a line across the group
};
struct BarChart {
  std::string title, y_title;
  std::vector<std::string> series;
  std::vector<BarGroup> groups;
};
[[nodiscard]] std::string to_svg(const BarChart& chart);

}  // namespace paceline
