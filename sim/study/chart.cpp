#include "sim/study/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace paceline {
namespace {

// Colours that stay apart for colour-blind readers (Okabe and Ito).
constexpr std::array<const char*, 8> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#8a5a00", "#444444"};
const char* color_of(int index) { return palette[static_cast<std::size_t>(index) % palette.size()]; }

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      default: result += c;
    }
  }
  return result;
}

struct Frame {
  double left = 70, top = 50, width = 560, height = 340;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

std::string opening(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"16\" fill=\"#222222\">{2}</text>\n",
      width, height, escaped(title));
}

std::string text_at(double x, double y, const std::string& text, const char* anchor, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#333333\"{}>{}</text>\n", x, y, anchor,
                     more, escaped(text));
}

std::string line_at(double x1, double y1, double x2, double y2, const char* color, const std::string& more = "") {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1, y1, x2, y2, color, more);
}

// Axis over whole powers of two.
struct PowerAxis {
  double low = 0, high = 1;  // log2
  void include(double value) {
    low = std::min(low, std::floor(std::log2(value)));
    high = std::max(high, std::ceil(std::log2(value)));
  }
  [[nodiscard]] double position(double value) const { return (std::log2(value) - low) / (high - low); }
};

std::string power_grid(const PowerAxis& x, const PowerAxis& y, const Frame& frame) {
  std::string svg;
  for (double power = x.low; power <= x.high; ++power) {
    const double at = frame.left + x.position(std::exp2(power)) * frame.width;
    svg += line_at(at, frame.top, at, frame.bottom(), "#e4e4e4");
    svg += text_at(at, frame.bottom() + 18, fmt::format("{:g}", std::exp2(power)), "middle");
  }
  for (double power = y.low; power <= y.high; ++power) {
    const double at = frame.bottom() - y.position(std::exp2(power)) * frame.height;
    svg += line_at(frame.left, at, frame.right(), at, "#e4e4e4");
    svg += text_at(frame.left - 8, at + 4, fmt::format("{:g}", std::exp2(power)), "end");
  }
  return svg;
}

std::string axis_titles(const std::string& x, const std::string& y, const Frame& frame) {
  const double middle = frame.top + frame.height / 2;
  return text_at(frame.left + frame.width / 2, frame.bottom() + 40, x, "middle") +
         text_at(20, middle, y, "middle", fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
}

std::string polyline(const LineSeries& series, const PowerAxis& x, const PowerAxis& y, const Frame& frame) {
  std::string points, markers;
  for (const auto& [px, py] : series.points) {
    const double at_x = frame.left + x.position(px) * frame.width;
    const double at_y = frame.bottom() - y.position(py) * frame.height;
    points += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
    markers += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", at_x, at_y,
                           color_of(series.color));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", points,
                     color_of(series.color), series.dashed ? " stroke-dasharray=\"6 4\"" : "") +
         markers;
}

std::string legend(const std::vector<LineSeries>& series, double x, double y) {
  std::string svg;
  for (const LineSeries& item : series) {
    svg += line_at(x, y - 4, x + 26, y - 4, color_of(item.color),
                   fmt::format(" stroke-width=\"2\"{}", item.dashed ? " stroke-dasharray=\"6 4\"" : ""));
    svg += text_at(x + 32, y, item.name, "start");
    y += 20;
  }
  return svg;
}

// A round step that gives about six ticks.
double tick_step(double top) {
  const double raw = top / 6;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  const Frame frame;
  PowerAxis x, y;
  for (const LineSeries& series : chart.series) {
    for (const auto& [px, py] : series.points) {
      x.include(px);
      y.include(py);
    }
  }
  std::string svg = opening(980, 470, chart.title) + power_grid(x, y, frame);
  if (chart.ideal_line) {
    const double end = std::exp2(std::min(x.high, y.high));
    const double start = std::exp2(std::max(x.low, y.low));
    svg += line_at(frame.left + x.position(start) * frame.width, frame.bottom() - y.position(start) * frame.height,
                   frame.left + x.position(end) * frame.width, frame.bottom() - y.position(end) * frame.height,
                   "#999999", " stroke-dasharray=\"2 4\"");
  }
  for (const LineSeries& series : chart.series) svg += polyline(series, x, y, frame);
  svg += axis_titles(chart.x_title, chart.y_title, frame);
  svg += legend(chart.series, frame.right() + 20, frame.top + 14);
  if (chart.ideal_line) {
    const double at = frame.top + 14 + 20 * static_cast<double>(chart.series.size());
    svg += line_at(frame.right() + 20, at - 4, frame.right() + 46, at - 4, "#999999", " stroke-dasharray=\"2 4\"");
    svg += text_at(frame.right() + 52, at, "ideal", "start");
  }
  return svg + "</svg>\n";
}

std::string to_svg(const BarChart& chart) {
  Frame frame;
  const double bar = 12;
  const double group_width = bar * static_cast<double>(chart.series.size()) + 14;
  frame.width = std::max(300.0, group_width * static_cast<double>(chart.groups.size()));
  double top = 1e-9;
  for (const BarGroup& group : chart.groups) {
    for (const double value : group.values) top = std::max(top, value);
    if (group.limit) top = std::max(top, *group.limit);
  }
  const double step = tick_step(top);
  top = std::ceil(top / step) * step;
  std::string svg = opening(frame.right() + 210, frame.bottom() + 210, chart.title);
  for (double tick = 0; tick <= top + step / 2; tick += step) {
    const double at = frame.bottom() - tick / top * frame.height;
    svg += line_at(frame.left, at, frame.right(), at, "#e4e4e4");
    svg += text_at(frame.left - 8, at + 4, fmt::format("{:g}", tick), "end");
  }
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const BarGroup& group = chart.groups[g];
    const double left = frame.left + group_width * static_cast<double>(g) + 7;
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      if (group.values[s] < 0) continue;
      const double height = group.values[s] / top * frame.height;
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                         left + bar * static_cast<double>(s), frame.bottom() - height, bar - 1, height,
                         color_of(static_cast<int>(s)));
    }
    if (group.limit) {
      const double at = frame.bottom() - *group.limit / top * frame.height;
      svg += line_at(left - 5, at, left + group_width - 9, at, "#c00000", " stroke-width=\"2\"");
    }
    const double x = left + group_width / 2 - 10, y = frame.bottom() + 14;
    svg += text_at(x, y, group.name, "end", fmt::format(" transform=\"rotate(-50 {:.1f} {:.1f})\"", x, y));
  }
  svg += axis_titles("", chart.y_title, frame);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double y = frame.top + 10 + 20 * static_cast<double>(s);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", frame.right() + 20,
                       y - 10, color_of(static_cast<int>(s)));
    svg += text_at(frame.right() + 38, y, chart.series[s], "start");
  }
  const double y = frame.top + 10 + 20 * static_cast<double>(chart.series.size());
  svg += line_at(frame.right() + 20, y - 4, frame.right() + 32, y - 4, "#c00000", " stroke-width=\"2\"");
  svg += text_at(frame.right() + 38, y, "device memory", "start");
  return svg + "</svg>\n";
}

}  // namespace paceline
