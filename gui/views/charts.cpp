#include "gui/views/charts.h"

#include <QBarCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QStackedBarSeries>
#include <QValueAxis>

namespace paceline::gui {

ChartPanel::ChartPanel(const QString& name, const QString& title, QWidget* parent)
    : QChartView(parent), theme_(theme_of(ThemeKind::light)) {
  setObjectName(name);
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(220, 180);
  QChart* plot = chart();
  plot->setAnimationOptions(QChart::NoAnimation);
  plot->setMargins({8, 4, 8, 4});
  plot->layout()->setContentsMargins(0, 0, 0, 0);
  plot->setBackgroundRoundness(0);
  plot->setTitle(title);
  QFont bold = interface_font();
  bold.setBold(true);
  plot->setTitleFont(bold);
  QFont small = interface_font();
  small.setPointSize(8);
  plot->legend()->setFont(small);
  plot->legend()->setAlignment(Qt::AlignBottom);
  plot->legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
  set_theme(theme_);
}

void ChartPanel::set_theme(const Theme& theme) {
  theme_ = theme;
  setBackgroundBrush(theme.base);
  chart()->setBackgroundBrush(theme.base);
  chart()->setTitleBrush(theme.text);
  chart()->legend()->setLabelColor(theme.text);
  const QList<QAbstractAxis*> axes = chart()->axes();
  for (QAbstractAxis* axis : axes) color_axis(axis);
}

void ChartPanel::color_axis(QAbstractAxis* axis) const {
  QFont small = interface_font();
  small.setPointSize(8);
  axis->setLabelsFont(small);
  axis->setTitleFont(small);
  axis->setLabelsColor(theme_.muted);
  axis->setTitleBrush(theme_.muted);
  axis->setGridLineColor(theme_.line);
  axis->setLinePenColor(theme_.line);
}

void ChartPanel::clear() {
  chart()->removeAllSeries();
  const QList<QAbstractAxis*> axes = chart()->axes();
  for (QAbstractAxis* axis : axes) {
    chart()->removeAxis(axis);
    delete axis;
  }
}

void ChartPanel::add_axis(QAbstractAxis* axis, Qt::Alignment side, const QString& title) {
  axis->setTitleText(title);
  color_axis(axis);
  chart()->addAxis(axis, side);
}

void ChartPanel::show_stack(const QList<QBarSet*>& sets, const QStringList& categories, double top,
                            const QString& value_title, const QString& category_title) {
  clear();
  auto* series = new QStackedBarSeries;
  series->setBarWidth(categories.size() < 2 ? 0.5 : 0.7);
  for (QBarSet* set : sets) series->append(set);
  chart()->addSeries(series);
  auto* category_axis = new QBarCategoryAxis;
  category_axis->append(categories);
  category_axis->setGridLineVisible(false);
  add_axis(category_axis, Qt::AlignBottom, category_title);
  auto* value_axis = new QValueAxis;
  value_axis->setRange(0, top);
  value_axis->applyNiceNumbers();
  value_axis->setLabelFormat("%.6g");
  add_axis(value_axis, Qt::AlignLeft, value_title);
  series->attachAxis(category_axis);
  series->attachAxis(value_axis);
}

QBarSet* bar_set(const QString& title, const QColor& color, const QList<double>& values) {
  auto* set = new QBarSet(title);
  set->append(values);
  set->setColor(color);
  set->setPen(Qt::NoPen);
  return set;
}

}  // namespace paceline::gui
