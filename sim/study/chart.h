// Charts of a study as SVG text, in panels side by side: lines on logarithmic axes, and stacked bars.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace paceline {

struct LineSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x and y above 0
  int color = 0;                                  // index of the palette
  bool dashed = false;
};
struct LinePanel {
  std::string title;
  std::vector<LineSeries> series;
};
struct LineChart {
  std::string title, x_title, y_title;
  std::vector<LinePanel> panels;
  bool ideal_line = false;  // y = x
};
// Both axes logarithmic with ticks at powers of two, the same in all panels; a legend below each panel.
[[nodiscard]] std::string to_svg(const LineChart& chart);

struct StackedBar {
  std::string name;
  std::vector<double> parts;  // one for each of the chart's parts, from the bottom up
  double limit = 0;           // marked on the bar if the scale reaches it; 0 = none
};
struct BarPanel {
  std::string title;
  std::vector<StackedBar> bars;
};
struct BarChart {
  std::string title, y_title, limit_name;
  std::vector<std::string> parts;
  std::vector<BarPanel> panels;
};
[[nodiscard]] std::string to_svg(const BarChart& chart);

}  // namespace paceline
