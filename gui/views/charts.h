// What the charts share: a title, room for the data, the theme's colours, no animation.
#pragma once

#include <QBarSet>
#include <QChartView>
#include <QStringList>

#include "gui/views/theme.h"

class QAbstractAxis;

namespace paceline::gui {

class ChartPanel : public QChartView {
  Q_OBJECT

 public:
  ChartPanel(const QString& name, const QString& title, QWidget* parent = nullptr);

  virtual void set_theme(const Theme& theme);

 protected:
  // Removes all series and axes.
  void clear();
  void add_axis(QAbstractAxis* axis, Qt::Alignment side, const QString& title);
  // One bar a category: `sets` are stacked, all axes become new ones.
  void show_stack(const QList<QBarSet*>& sets, const QStringList& categories, double top,
                  const QString& value_title, const QString& category_title);
  [[nodiscard]] const Theme& theme() const { return theme_; }

 private:
  void color_axis(QAbstractAxis* axis) const;

  Theme theme_;
};

// A bar set of one colour without an edge.
[[nodiscard]] QBarSet* bar_set(const QString& title, const QColor& color, const QList<double>& values);

}  // namespace paceline::gui
