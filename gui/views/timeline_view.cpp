#include "gui/views/timeline_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/slice_details.h"

namespace paceline::gui {
namespace {

constexpr double key_zoom = 1.4;
constexpr double key_pan = 0.12;    // of the width
constexpr double click_radius = 3;  // pixels

}  // namespace

TimelineView::TimelineView(const QString& name, QWidget* parent)
    : QAbstractScrollArea(parent), theme_(theme_of(ThemeKind::light)) {
  setObjectName(name);
  viewport()->setObjectName(name + "_viewport");
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  verticalScrollBar()->setSingleStep(TimelineGeometry::row_height);
  setMinimumHeight(120);
}

void TimelineView::set_layout(std::shared_ptr<const TimelineLayout> layout) {
  layout_ = std::move(layout);
  geometry_ = layout_ ? TimelineGeometry(*layout_) : TimelineGeometry();
  hovered_.reset();
  select(std::nullopt);
  if (shows_all_) fit_all();
  moved(!shows_all_);
}

void TimelineView::set_theme(const Theme& theme) {
  theme_ = theme;
  viewport()->update();
}

TimelinePicture TimelineView::picture() const {
  return {*layout_,  geometry_, scale_, theme_, viewport()->size(), verticalScrollBar()->value(),
          selected_, hovered_};
}

double TimelineView::time_width() const {
  return std::max(1, viewport()->width() - TimelineGeometry::label_width);
}

double TimelineView::pointer() const {
  const QPoint position = viewport()->mapFromGlobal(QCursor::pos());
  const int x = position.x() - TimelineGeometry::label_width;
  const bool is_inside = viewport()->rect().contains(position) && viewport()->underMouse() && x >= 0;
  return is_inside ? x : time_width() / 2;
}

void TimelineView::fit_all() {
  if (!layout_) return;
  scale_.fit(layout_->range(), time_width());
  shows_all_ = true;
  moved(false);
}

void TimelineView::frame_selection() {
  if (!layout_ || !selected_) return;
  const Timeline& timeline = layout_->timeline();
  const Nanoseconds around = std::max<Nanoseconds>(timeline.duration(*selected_) / 4, 1);
  scale_.fit({timeline.start(*selected_) - around, timeline.end(*selected_) + around}, time_width());
  const int top = geometry_.row_top[layout_->row_of(*selected_)];
  QScrollBar* bar = verticalScrollBar();
  if (top < bar->value() || top + TimelineGeometry::row_height > bar->value() + bar->pageStep())
    bar->setValue(top - bar->pageStep() / 2);
  moved(true);
}

void TimelineView::select(std::optional<SliceId> slice) {
  selected_ = slice;
  viewport()->update();
  emit selection_changed();
}

void TimelineView::zoom(double factor, double x) {
  scale_.zoom(factor, x);
  moved(true);
}

void TimelineView::pan(double pixels) {
  scale_.pan(pixels);
  moved(true);
}

void TimelineView::moved(bool by_hand) {
  if (by_hand) shows_all_ = false;
  if (layout_) scale_.limit(layout_->range(), time_width());
  const int page = std::max(0, viewport()->height() - TimelineGeometry::ruler_height);
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, geometry_.height - page));
  viewport()->update();
}

QRect TimelineView::slice_rect(SliceId slice) const {
  const TimelinePicture view = picture();
  const QRect row = view.row_rect(layout_->row_of(slice));
  const Timeline& timeline = layout_->timeline();
  const int left = static_cast<int>(std::lround(std::clamp(scale_.x(timeline.start(slice)), -1e6, 1e6)));
  const int right = static_cast<int>(std::lround(std::clamp(scale_.x(timeline.end(slice)), -1e6, 1e6)));
  return QRect(row.left() + left, row.top(), std::max(1, right - left), row.height())
      .intersected(view.time_area());
}

std::optional<SliceId> TimelineView::slice_at(const QPoint& position) const {
  if (!layout_ || !picture().time_area().contains(position)) return std::nullopt;
  const int y = position.y() - TimelineGeometry::ruler_height + verticalScrollBar()->value();
  const auto row = geometry_.row_at(y);
  if (!row) return std::nullopt;
  const double time = scale_.time(position.x() - TimelineGeometry::label_width + 0.5);
  return layout_->slice_at(*row, time, click_radius * scale_.per_pixel);
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setFont(font());
  if (layout_ && layout_->row_count() > 0) {
    const TimelinePicture view = picture();
    TimelinePainter(painter, view).paint();
    return;
  }
  painter.fillRect(viewport()->rect(), theme_.base);
  painter.setPen(theme_.muted);
  painter.drawText(viewport()->rect(), Qt::AlignCenter, "Nothing to show");
}

void TimelineView::resizeEvent(QResizeEvent*) {
  if (shows_all_) fit_all();
  moved(false);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  QScrollBar* bar = verticalScrollBar();
  switch (event->key()) {
    case Qt::Key_W:
      return zoom(key_zoom, pointer());
    case Qt::Key_S:
      return zoom(1 / key_zoom, pointer());
    case Qt::Key_A:
    case Qt::Key_Left:
      return pan(-key_pan * time_width());
    case Qt::Key_D:
    case Qt::Key_Right:
      return pan(key_pan * time_width());
    case Qt::Key_Up:
      return bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
      return bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_F:
      return frame_selection();
    case Qt::Key_0:
    case Qt::Key_Home:
      return fit_all();
    case Qt::Key_Escape:
      return select(std::nullopt);
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const double x = event->position().x() - TimelineGeometry::label_width;
  const QPoint turn = event->angleDelta();
  if (x < 0) return QAbstractScrollArea::wheelEvent(event);
  event->accept();
  if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(turn.x()) > std::abs(turn.y()))
    return pan(-(turn.x() + turn.y()) * 0.5);
  zoom(std::pow(key_zoom, turn.y() / 120.0), x);
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  press_ = last_ = event->pos();
  is_dragging_ = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) return hover(slice_at(event->pos()));
  if ((event->pos() - press_).manhattanLength() >= QApplication::startDragDistance()) is_dragging_ = true;
  if (!is_dragging_) return;
  pan(last_.x() - event->pos().x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + last_.y() - event->pos().y());
  last_ = event->pos();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !is_dragging_) select(slice_at(event->pos()));
  is_dragging_ = false;
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hover(std::nullopt);
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    show_tip(help->globalPos(), help->pos());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::hover(std::optional<SliceId> slice) {
  if (hovered_ == slice) return;
  hovered_ = slice;
  viewport()->update();
}

void TimelineView::show_tip(const QPoint& global, const QPoint& position) {
  const auto slice = slice_at(position);
  if (!slice) return QToolTip::hideText();
  QStringList lines;
  for (const Detail& detail : slice_details(*layout_, *slice))
    lines << QString::fromStdString(detail.name + ": " + detail.value).toHtmlEscaped().left(160);
  QToolTip::showText(global, "<p style='white-space:pre'>" + lines.join("<br>") + "</p>", viewport());
}

}  // namespace paceline::gui
