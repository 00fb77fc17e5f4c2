// The answer in a few figures.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.h"

namespace paceline::gui {

struct Figure {
  std::string title, value, detail;
  bool is_bad = false;
};

struct Headline {
  std::vector<Figure> figures;
  std::vector<std::string> notes;
};

constexpr std::size_t figure_count = 5;
[[nodiscard]] Headline headline_of(const StudyRow& row);
// Titles only.
[[nodiscard]] Headline empty_headline();

}  // namespace paceline::gui
