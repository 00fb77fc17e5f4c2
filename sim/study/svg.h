// The few elements of SVG that the charts are made of.
#pragma once

#include <string>

namespace paceline::svg {

[[nodiscard]] std::string opening(double width, double height, const std::string& title);
[[nodiscard]] std::string text(double x, double y, const std::string& content, const char* anchor,
                               const std::string& attributes = "");
[[nodiscard]] std::string line(double x1, double y1, double x2, double y2, const char* color,
                               const std::string& attributes = "");
[[nodiscard]] std::string rectangle(double x, double y, double width, double height, const char* color);

// Colours that stay apart for colour-blind readers (Okabe and Ito), repeated after eight.
[[nodiscard]] const char* palette(int index);

}  // namespace paceline::svg
