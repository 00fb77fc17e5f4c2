// Draws a timeline: ruler, labels, rows of slices, flows of the selection. Every part is clipped to its own
// place.
#pragma once

#include <QPainter>
#include <QRect>
#include <optional>
#include <vector>

#include "gui/models/slice_details.h"
#include "gui/views/theme.h"
#include "gui/views/timeline_geometry.h"

namespace paceline::gui {

struct TimelinePicture {
  const TimelineLayout& layout;
  const TimelineGeometry& geometry;
  const TimeScale& scale;
  const Theme& theme;
  QSize size;      // of the whole view
  int scroll = 0;  // pixels hidden above
  std::optional<SliceId> selected, hovered;

  [[nodiscard]] QRect time_area() const;  // where slices may be
  [[nodiscard]] QRect row_rect(std::uint32_t row) const;
};

class TimelinePainter {
 public:
  static constexpr double least_width = 3;  // pixels; narrower slices are folded

  TimelinePainter(QPainter& painter, const TimelinePicture& picture);
  void paint();

 private:
  void paint_grid();
  void paint_ruler();
  void paint_labels();
  void paint_label(int left, int top, int height, const std::string& text);
  void paint_row(std::uint32_t row);
  void paint_counter(std::size_t counter);
  void paint_box(const SliceBox& box, const QRect& row);
  void paint_frame(SliceId slice, const QColor& color);
  void paint_flows();
  [[nodiscard]] QPointF flow_end(SliceId slice, bool is_start) const;
  [[nodiscard]] bool is_visible(int top, int height) const;

  QPainter& painter_;
  const TimelinePicture& picture_;
  QRect area_;
  std::vector<TimeTick> ticks_;
  std::vector<SliceBox> boxes_;
};

}  // namespace paceline::gui
