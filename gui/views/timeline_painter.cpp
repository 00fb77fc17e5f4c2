#include "gui/views/timeline_painter.h"

#include <QFontMetrics>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace paceline::gui {
namespace {

constexpr double tick_spacing = 110;
constexpr double least_text_width = 40;
constexpr std::size_t most_flows = 200;

using G = TimelineGeometry;

}  // namespace

QRect TimelinePicture::time_area() const {
  return {G::label_width, G::ruler_height, std::max(0, size.width() - G::label_width),
          std::max(0, size.height() - G::ruler_height)};
}

QRect TimelinePicture::row_rect(std::uint32_t row) const {
  const QRect area = time_area();
  return {area.left(), area.top() + geometry.row_top[row] - scroll, area.width(), G::row_height};
}

TimelinePainter::TimelinePainter(QPainter& painter, const TimelinePicture& picture)
    : painter_(painter),
      picture_(picture),
      area_(picture.time_area()),
      ticks_(time_ticks(picture.scale, area_.width(), tick_spacing)) {}

void TimelinePainter::paint() {
  painter_.fillRect(QRect(QPoint(0, 0), picture_.size), picture_.theme.base);
  paint_grid();
  for (std::uint32_t row = 0; row < picture_.layout.row_count(); ++row)
    if (is_visible(picture_.geometry.row_top[row], G::row_height)) paint_row(row);
  for (std::size_t counter = 0; counter < picture_.layout.counters().size(); ++counter)
    if (is_visible(picture_.geometry.counter_top[counter], G::counter_height)) paint_counter(counter);
  if (picture_.hovered) paint_frame(*picture_.hovered, picture_.theme.muted);
  if (picture_.selected) {
    paint_flows();
    paint_frame(*picture_.selected, picture_.theme.text);
  }
  paint_labels();
  paint_ruler();
}

bool TimelinePainter::is_visible(int top, int height) const {
  const int y = top - picture_.scroll;
  return y + height > 0 && y < area_.height();
}

// Bands of the groups and lines at the ruler's ticks.
void TimelinePainter::paint_grid() {
  painter_.setClipRect(QRect(0, area_.top(), picture_.size.width(), area_.height()));
  for (const int top : picture_.geometry.group_top) {
    if (!is_visible(top, G::group_height)) continue;
    painter_.fillRect(0, area_.top() + top - picture_.scroll, picture_.size.width(), G::group_height,
                      picture_.theme.alternate);
  }
  painter_.setClipRect(area_);
  painter_.setPen(picture_.theme.line);
  for (const TimeTick& tick : ticks_) {
    const int x =
        area_.left() +
        static_cast<int>(std::lround((tick.time - picture_.scale.origin) / picture_.scale.per_pixel));
    painter_.drawLine(x, area_.top(), x, area_.bottom());
  }
}

void TimelinePainter::paint_ruler() {
  const QRect ruler(area_.left(), 0, area_.width(), G::ruler_height);
  painter_.setClipRect(QRect(0, 0, picture_.size.width(), G::ruler_height));
  painter_.fillRect(0, 0, picture_.size.width(), G::ruler_height, picture_.theme.window);
  painter_.setClipRect(ruler);
  for (const TimeTick& tick : ticks_) {
    const int x =
        area_.left() +
        static_cast<int>(std::lround((tick.time - picture_.scale.origin) / picture_.scale.per_pixel));
    painter_.setPen(picture_.theme.line);
    painter_.drawLine(x, G::ruler_height - 6, x, G::ruler_height);
    painter_.setPen(picture_.theme.muted);
    painter_.drawText(QRect(x + 4, 0, static_cast<int>(tick_spacing) * 3, G::ruler_height),
                      Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(tick.label));
  }
}

void TimelinePainter::paint_label(int left, int top, int height, const std::string& text) {
  if (!is_visible(top, height)) return;
  const QRect place(left, area_.top() + top - picture_.scroll, G::label_width - left - 8, height);
  const QString whole = QString::fromStdString(text);
  painter_.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                    painter_.fontMetrics().elidedText(whole, Qt::ElideRight, place.width()));
}

void TimelinePainter::paint_labels() {
  const QRect column(0, area_.top(), G::label_width, area_.height());
  painter_.setClipRect(column);
  const TimelineLayout& layout = picture_.layout;
  const TimelineGeometry& geometry = picture_.geometry;
  const QFont plain = painter_.font();
  QFont bold = plain;
  bold.setBold(true);
  painter_.setFont(bold);
  painter_.setPen(picture_.theme.text);
  for (std::size_t index = 0; index < layout.groups().size(); ++index)
    paint_label(10, geometry.group_top[index], G::group_height, layout.groups()[index].title);
  painter_.setFont(plain);
  painter_.setPen(picture_.theme.muted);
  for (std::size_t index = 0; index < layout.tracks().size(); ++index)
    paint_label(22, geometry.track_top[index], G::row_height, layout.tracks()[index].title);
  for (std::size_t index = 0; index < layout.counters().size(); ++index) {
    const int top = geometry.counter_top[index];
    paint_label(22, top, G::row_height, layout.counters()[index].title());
    paint_label(22, top + G::row_height, G::row_height, layout.counters()[index].peak_text());
  }
  painter_.setPen(picture_.theme.line);
  painter_.drawLine(column.right(), column.top(), column.right(), column.bottom());
}

void TimelinePainter::paint_row(std::uint32_t row) {
  const QRect place = picture_.row_rect(row);
  painter_.setClipRect(place.intersected(area_));
  picture_.layout.boxes(row, picture_.scale, area_.width(), least_width, boxes_);
  for (const SliceBox& box : boxes_) paint_box(box, place);
}

void TimelinePainter::paint_counter(std::size_t counter) {
  const CounterLane& lane = picture_.layout.counters()[counter];
  if (lane.peak() <= 0) return;
  const QRect place(area_.left(), area_.top() + picture_.geometry.counter_top[counter] - picture_.scroll,
                    area_.width(), G::counter_height);
  painter_.setClipRect(place.intersected(area_));
  QColor fill = picture_.theme.accent;
  fill.setAlphaF(0.35F);
  const std::vector<double> levels = lane.levels(picture_.scale, place.width());
  for (std::size_t pixel = 0; pixel < levels.size(); ++pixel) {
    const int height = static_cast<int>(std::lround(levels[pixel] / lane.peak() * (G::counter_height - 2)));
    if (height <= 0) continue;
    const int x = place.left() + static_cast<int>(pixel);
    const int top = place.bottom() - height;
    painter_.fillRect(x, top, 1, height, fill);
    painter_.fillRect(x, top, 1, 1, picture_.theme.accent);
  }
}

void TimelinePainter::paint_box(const SliceBox& box, const QRect& row) {
  // Edges at whole pixels, so that neighbours neither overlap nor blur; a gap of a pixel where there is room.
  const double left = std::max(box.left, -10.0);
  const double right = std::min(box.right, row.width() + 10.0);
  const int x = row.left() + static_cast<int>(std::lround(left));
  const int end = row.left() + static_cast<int>(std::lround(right));
  const int gap = end - x > 6 ? 1 : 0;
  const QColor color = color_of(box.kind);
  painter_.fillRect(x, row.top() + 1, std::max(1, end - x - gap), row.height() - 2, color);
  const double from = std::max(left, 0.0);
  if (box.folded || std::min(right, row.width() * 1.0) - from < least_text_width) return;
  const QRect text(row.left() + static_cast<int>(from) + 5, row.top(),
                   static_cast<int>(std::min(right, row.width() * 1.0) - from) - 8, row.height());
  painter_.setPen(text_color_on(color));
  const QString name = QString::fromStdString(picture_.layout.timeline().name_text(box.slice));
  painter_.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                    painter_.fontMetrics().elidedText(name, Qt::ElideRight, text.width()));
}

void TimelinePainter::paint_frame(SliceId slice, const QColor& color) {
  const QRect row = picture_.row_rect(picture_.layout.row_of(slice));
  painter_.setClipRect(row.intersected(area_));
  const Timeline& timeline = picture_.layout.timeline();
  const double left = std::max(picture_.scale.x(timeline.start(slice)), -10.0);
  const double right = std::clamp(picture_.scale.x(timeline.end(slice)), left + least_width,
                                  std::max(left + least_width, row.width() + 10.0));
  painter_.setPen(QPen(color, 2));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRect(QRectF(row.left() + left + 1, row.top() + 2, right - left - 2, row.height() - 4));
}

QPointF TimelinePainter::flow_end(SliceId slice, bool is_start) const {
  const Timeline& timeline = picture_.layout.timeline();
  const QRect row = picture_.row_rect(picture_.layout.row_of(slice));
  const double x = picture_.scale.x(is_start ? timeline.end(slice) : timeline.start(slice));
  // Far outside only the direction matters, and a path with huge numbers is slow to draw.
  return {row.left() + std::clamp(x, -2000.0, row.width() + 2000.0), row.center().y() + 0.5};
}

void TimelinePainter::paint_flows() {
  painter_.setClipRect(area_);
  painter_.setRenderHint(QPainter::Antialiasing, true);
  painter_.setPen(QPen(picture_.theme.text, 1.2));
  painter_.setBrush(Qt::NoBrush);
  for (const Flow& flow : flows_of(picture_.layout.timeline(), *picture_.selected, most_flows)) {
    const QPointF from = flow_end(flow.from, true);
    const QPointF to = flow_end(flow.to, false);
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 20.0, 120.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter_.drawPath(path);
    painter_.drawLine(to, to + QPointF(-6, -3.5));
    painter_.drawLine(to, to + QPointF(-6, 3.5));
  }
  painter_.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace paceline::gui
