// A counter of a Timeline as a row of the viewer: a level that holds until the next sample.
#pragma once

#include <string>
#include <vector>

#include "gui/models/time_scale.h"
#include "traces/timeline.h"

namespace paceline::gui {

class CounterLane {
 public:
  CounterLane(const Timeline& timeline, const Counter& counter);

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::string& peak_text() const { return peak_text_; }  // "peak 12.4 GiB"
  [[nodiscard]] double peak() const { return peak_; }
  // The highest level within each pixel of [0, width); 0 before the first sample.
  [[nodiscard]] std::vector<double> levels(const TimeScale& scale, int width) const;

 private:
  std::string title_, peak_text_;
  double peak_ = 0;
  std::vector<Nanoseconds> times_;  // rising
  std::vector<double> values_;
};

}  // namespace paceline::gui
