// Shows a TimelineLayout. Keys: W S zoom, A D and arrows pan, F frames the selection, 0 or Home shows all.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "gui/models/timeline_layout.h"
#include "gui/views/theme.h"
#include "gui/views/timeline_geometry.h"
#include "gui/views/timeline_painter.h"

namespace paceline::gui {

class TimelineView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TimelineView(const QString& name, QWidget* parent = nullptr);

  // Keeps the section in view if it had been chosen by hand, else shows all.
  void set_layout(std::shared_ptr<const TimelineLayout> layout);
  void set_theme(const Theme& theme);
  void fit_all();
  void frame_selection();
  void select(std::optional<SliceId> slice);

  [[nodiscard]] const TimelineLayout* timeline_layout() const { return layout_.get(); }
  [[nodiscard]] const TimeScale& scale() const { return scale_; }
  [[nodiscard]] std::optional<SliceId> selected() const { return selected_; }
  // Of a slice in the viewport, empty if out of sight.
  [[nodiscard]] QRect slice_rect(SliceId slice) const;
  [[nodiscard]] std::optional<SliceId> slice_at(const QPoint& position) const;

 signals:
  void selection_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  [[nodiscard]] TimelinePicture picture() const;
  [[nodiscard]] double time_width() const;  // pixels
  [[nodiscard]] double pointer() const;     // pixel of the time area under the mouse, or its middle
  void zoom(double factor, double x);
  void pan(double pixels);
  void moved(bool by_hand);
  void hover(std::optional<SliceId> slice);
  void show_tip(const QPoint& global, const QPoint& position);

  std::shared_ptr<const TimelineLayout> layout_;
  TimelineGeometry geometry_;
  TimeScale scale_;
  Theme theme_;
  std::optional<SliceId> selected_, hovered_;
  QPoint press_, last_;
  bool is_dragging_ = false;
  bool shows_all_ = true;
};

}  // namespace paceline::gui
