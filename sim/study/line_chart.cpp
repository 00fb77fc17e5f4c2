#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/chart.h"
#include "sim/study/svg.h"

namespace paceline {
namespace {

constexpr double panel_width = 430, panel_height = 340, panel_top = 72, first_left = 70, gap = 70;
constexpr double legend_row = 19;

// Axis over whole powers of two.
struct PowerAxis {
  double low = 0, high = 1;  // log2
  void include(double value) {
    low = std::min(low, std::floor(std::log2(value)));
    high = std::max(high, std::ceil(std::log2(value)));
  }
  [[nodiscard]] double position(double value) const { return (std::log2(value) - low) / (high - low); }
};

struct Plot {
  PowerAxis x, y;
  double left = first_left;
  [[nodiscard]] double at_x(double value) const { return left + x.position(value) * panel_width; }
  [[nodiscard]] double at_y(double value) const { return panel_top + (1 - y.position(value)) * panel_height; }
};

std::string grid(const Plot& plot) {
  std::string out;
  const double bottom = panel_top + panel_height;
  for (double power = plot.x.low; power <= plot.x.high; ++power) {
    const double value = std::exp2(power);
    out += svg::line(plot.at_x(value), panel_top, plot.at_x(value), bottom, "#e4e4e4");
    out += svg::text(plot.at_x(value), bottom + 18, fmt::format("{:g}", value), "middle");
  }
  for (double power = plot.y.low; power <= plot.y.high; ++power) {
    const double value = std::exp2(power);
    out += svg::line(plot.left, plot.at_y(value), plot.left + panel_width, plot.at_y(value), "#e4e4e4");
    out += svg::text(plot.left - 8, plot.at_y(value) + 4, fmt::format("{:g}", value), "end");
  }
  return out;
}

std::string curve(const LineSeries& series, const Plot& plot) {
  std::string points, markers;
  const char* color = svg::palette(series.color);
  for (const auto& [x, y] : series.points) {
    points += fmt::format("{:.1f},{:.1f} ", plot.at_x(x), plot.at_y(y));
    markers += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", plot.at_x(x),
                           plot.at_y(y), color);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", points,
                     color, series.dashed ? " stroke-dasharray=\"6 4\"" : "") +
         markers;
}

std::string legend(const std::vector<LineSeries>& series, double x, double y) {
  std::string out;
  for (const LineSeries& item : series) {
    out += svg::line(x, y - 4, x + 26, y - 4, svg::palette(item.color),
                     fmt::format(" stroke-width=\"2\"{}", item.dashed ? " stroke-dasharray=\"6 4\"" : ""));
    out += svg::text(x + 32, y, item.name, "start");
    y += legend_row;
  }
  return out;
}

std::string ideal(const Plot& plot) {
  const double low = std::exp2(std::max(plot.x.low, plot.y.low));
  const double high = std::exp2(std::min(plot.x.high, plot.y.high));
  return svg::line(plot.at_x(low), plot.at_y(low), plot.at_x(high), plot.at_y(high), "#999999",
                   " stroke-dasharray=\"2 4\"");
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  Plot plot;
  std::size_t rows = 1;
  for (const LinePanel& panel : chart.panels) {
    rows = std::max(rows, panel.series.size());
    for (const LineSeries& series : panel.series) {
      for (const auto& [x, y] : series.points) {
        plot.x.include(x);
        plot.y.include(y);
      }
    }
  }
  const auto panels = static_cast<double>(std::max<std::size_t>(1, chart.panels.size()));
  const double bottom = panel_top + panel_height;
  std::string out = svg::opening(first_left + panels * (panel_width + gap) - gap + 30,
                                 bottom + 70 + legend_row * static_cast<double>(rows + 1), chart.title);
  const double middle = panel_top + panel_height / 2;
  out += svg::text(20, middle, chart.y_title, "middle",
                   fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
  for (const LinePanel& panel : chart.panels) {
    out += svg::text(plot.left, panel_top - 12, panel.title, "start", " font-weight=\"bold\"") + grid(plot);
    if (chart.ideal_line) out += ideal(plot);
    for (const LineSeries& series : panel.series) out += curve(series, plot);
    out += svg::text(plot.left + panel_width / 2, bottom + 38, chart.x_title, "middle");
    out += legend(panel.series, plot.left, bottom + 66);
    if (chart.ideal_line) {
      const double y = bottom + 66 + legend_row * static_cast<double>(panel.series.size());
      out += svg::line(plot.left, y - 4, plot.left + 26, y - 4, "#999999", " stroke-dasharray=\"2 4\"");
      out += svg::text(plot.left + 32, y, "ideal", "start");
    }
    plot.left += panel_width + gap;
  }
  return out + "</svg>\n";
}

}  // namespace paceline
