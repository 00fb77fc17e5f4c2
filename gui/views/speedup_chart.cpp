#include "gui/views/speedup_chart.h"

#include <QChart>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <algorithm>
#include <cmath>

namespace paceline::gui {

SpeedupChart::SpeedupChart(QWidget* parent) : ChartPanel("speedup_chart", "Speedup over one GPU", parent) {
  chart()->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
}

void SpeedupChart::set_curves(const std::vector<Curve>& curves) {
  lines_.clear();
  for (const Curve& curve : curves) {
    Line line{curve.kind, {}};
    for (const StudyRow& row : curve.rows)
      line.points.append({static_cast<double>(row.input.scenario.devices), row.speedup});
    lines_.push_back(line);
  }
  draw();
}

void SpeedupChart::set_point(int devices, double speedup, StrategyKind kind) {
  point_ = Point{devices, speedup, kind};
  draw();
}

void SpeedupChart::remove_point() {
  point_.reset();
  draw();
}

void SpeedupChart::set_theme(const Theme& theme) {
  ChartPanel::set_theme(theme);
  draw();  // the ideal line has the theme's colour
}

void SpeedupChart::draw() {
  clear();
  double most = point_ ? std::max(2, point_->devices) : 2;
  double least = point_ ? std::min(1.0, point_->speedup) : 1;
  for (const Line& line : lines_) {
    for (const QPointF& point : line.points) {
      most = std::max(most, point.x());
      least = std::min(least, point.y());
    }
  }
  draw_ideal(most);
  for (const Line& line : lines_) draw_line(line);
  draw_point();
  draw_axes(most, least);
}

void SpeedupChart::draw_ideal(double most) {
  auto* series = new QLineSeries;
  series->setName("ideal");
  series->setPen(QPen(theme().muted, 1.2, Qt::DashLine));
  series->append({{1, 1}, {most, most}});
  chart()->addSeries(series);
}

void SpeedupChart::draw_line(const Line& line) {
  auto* series = new QLineSeries;
  series->setName(QString::fromStdString(title_of(line.kind)));
  series->setPen(QPen(color_of(line.kind), 2));
  series->setPointsVisible(true);
  series->setMarkerSize(5);
  series->append(line.points);
  chart()->addSeries(series);
}

void SpeedupChart::draw_point() {
  if (!point_) return;
  auto* series = new QScatterSeries;
  series->setName("this scenario");
  series->setMarkerSize(12);
  series->setColor(color_of(point_->kind));
  series->setBorderColor(theme().text);
  series->append(point_->devices, point_->speedup);
  chart()->addSeries(series);
  // Its colour is that of its curve; the legend has no room for more.
  const QList<QLegendMarker*> markers = chart()->legend()->markers(series);
  for (QLegendMarker* marker : markers) marker->setVisible(false);
}

void SpeedupChart::draw_axes(double most, double least) {
  auto* devices = new QLogValueAxis;
  auto* speedup = new QLogValueAxis;
  for (QLogValueAxis* axis : {devices, speedup}) {
    axis->setBase(most > 1024 ? 4 : 2);
    axis->setLabelFormat(least < 1 ? "%g" : "%.0f");
  }
  devices->setLabelFormat("%.0f");
  devices->setRange(0.9, most * 1.15);
  speedup->setRange(std::min(0.9, least * 0.9), most * 1.15);
  add_axis(devices, Qt::AlignBottom, "GPUs");
  add_axis(speedup, Qt::AlignLeft, "speedup");
  const QList<QAbstractSeries*> all = chart()->series();
  for (QAbstractSeries* series : all) {
    series->attachAxis(devices);
    series->attachAxis(speedup);
  }
}

}  // namespace paceline::gui
