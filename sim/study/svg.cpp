#include "sim/study/svg.h"

#include <fmt/format.h>

#include <array>

namespace paceline::svg {
namespace {

std::string escaped(const std::string& content) {
  std::string result;
  for (const char c : content) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string opening(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"16\" fill=\"#222222\">{2}</text>\n",
      width, height, escaped(title));
}

std::string text(double x, double y, const std::string& content, const char* anchor,
                 const std::string& attributes) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#333333\"{}>{}</text>\n", x,
                     y, anchor, attributes, escaped(content));
}

std::string line(double x1, double y1, double x2, double y2, const char* color,
                 const std::string& attributes) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1,
                     y1, x2, y2, color, attributes);
}

std::string rectangle(double x, double y, double width, double height, const char* color) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
                     y, width, height, color);
}

const char* palette(int index) {
  constexpr std::array<const char*, 8> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#e69f00", "#56b4e9", "#8a5a00", "#444444"};
  return colors[static_cast<std::size_t>(index) % colors.size()];
}

}  // namespace paceline::svg
