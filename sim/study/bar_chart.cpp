#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/chart.h"
#include "sim/study/svg.h"

namespace paceline {
namespace {

constexpr double plot_top = 72, plot_height = 320, first_left = 90, gap = 60, bar_width = 22, bar_step = 30;
constexpr double label_height = 225, legend_row = 19;

double height_of(const StackedBar& bar) {
  double sum = 0;
  for (const double part : bar.parts) sum += part;
  return sum;
}

// A round step that gives about six ticks.
double tick_step(double top) {
  const double raw = top / 6;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

struct Scale {
  double top = 1, step = 1;
  [[nodiscard]] double at(double value) const { return plot_top + (1 - value / top) * plot_height; }
};

// Limits much above the tallest bar would flatten the bars: they stay in the labels only.
Scale scale_of(const BarChart& chart) {
  double tallest = 1e-9;
  for (const BarPanel& panel : chart.panels)
    for (const StackedBar& bar : panel.bars) tallest = std::max(tallest, height_of(bar));
  double top = tallest;
  for (const BarPanel& panel : chart.panels)
    for (const StackedBar& bar : panel.bars)
      if (bar.limit <= 2 * tallest) top = std::max(top, bar.limit * 1.02);
  const double step = tick_step(top);
  return {std::ceil(top / step) * step, step};
}

std::string draw(const StackedBar& bar, const Scale& scale, double left) {
  std::string out;
  double base = 0;
  for (std::size_t part = 0; part < bar.parts.size(); ++part) {
    const double next = base + bar.parts[part];
    if (bar.parts[part] > 0) {
      out += svg::rectangle(left, scale.at(next), bar_width, scale.at(base) - scale.at(next),
                            svg::palette(static_cast<int>(part)));
    }
    base = next;
  }
  if (bar.limit > 0 && bar.limit <= scale.top) {
    out += svg::line(left - 3, scale.at(bar.limit), left + bar_width + 3, scale.at(bar.limit), "#c00000",
                     " stroke-width=\"2\"");
  }
  const double x = left + bar_width / 2 + 4, y = plot_top + plot_height + 12;
  return out +
         svg::text(x, y, bar.name, "end", fmt::format(" transform=\"rotate(-60 {:.1f} {:.1f})\"", x, y));
}

std::string legend(const BarChart& chart, double x) {
  std::string out;
  double y = plot_top + 10;
  // The topmost part of the bars first.
  for (std::size_t part = chart.parts.size(); part-- > 0;) {
    out += svg::rectangle(x, y - 10, 12, 12, svg::palette(static_cast<int>(part)));
    out += svg::text(x + 18, y, chart.parts[part], "start");
    y += legend_row;
  }
  return out + svg::line(x, y - 4, x + 12, y - 4, "#c00000", " stroke-width=\"2\"") +
         svg::text(x + 18, y, chart.limit_name, "start");
}

}  // namespace

std::string to_svg(const BarChart& chart) {
  const Scale scale = scale_of(chart);
  double width = first_left;
  for (const BarPanel& panel : chart.panels) width += bar_step * static_cast<double>(panel.bars.size()) + gap;
  const double bottom = plot_top + plot_height;
  std::string out = svg::opening(width + 130, bottom + label_height, chart.title);
  const double middle = plot_top + plot_height / 2;
  out += svg::text(30, middle, chart.y_title, "middle",
                   fmt::format(" transform=\"rotate(-90 30 {:.1f})\"", middle));
  double left = first_left;
  for (const BarPanel& panel : chart.panels) {
    const double right = left + bar_step * static_cast<double>(panel.bars.size());
    out += svg::text(left, plot_top - 12, panel.title, "start", " font-weight=\"bold\"");
    for (double tick = 0; tick <= scale.top + scale.step / 2; tick += scale.step) {
      out += svg::line(left, scale.at(tick), right, scale.at(tick), "#e4e4e4");
      out += svg::text(left - 8, scale.at(tick) + 4, fmt::format("{:g}", tick), "end");
    }
    for (std::size_t bar = 0; bar < panel.bars.size(); ++bar)
      out += draw(panel.bars[bar], scale,
                  left + bar_step * static_cast<double>(bar) + (bar_step - bar_width) / 2);
    left = right + gap;
  }
  return out + legend(chart, left - gap + 24) + "</svg>\n";
}

}  // namespace paceline
