// Speedup over the number of devices, both axes logarithmic, with the ideal line and the scenario's own
// point.
#pragma once

#include <optional>
#include <vector>

#include "gui/models/curve_model.h"
#include "gui/views/charts.h"

namespace paceline::gui {

class SpeedupChart : public ChartPanel {
  Q_OBJECT

 public:
  explicit SpeedupChart(QWidget* parent = nullptr);

  void set_curves(const std::vector<Curve>& curves);
  void set_point(int devices, double speedup, StrategyKind kind);
  void remove_point();
  void set_theme(const Theme& theme) override;

 private:
  struct Point {
    int devices = 1;
    double speedup = 1;
    StrategyKind kind = StrategyKind::single;
  };
  struct Line {
    StrategyKind kind = StrategyKind::single;
    QList<QPointF> points;
  };

  void draw();
  void draw_ideal(double most);
  void draw_line(const Line& line);
  void draw_point();
  void draw_axes(double most, double least);

  std::vector<Line> lines_;
  std::optional<Point> point_;
};

}  // namespace paceline::gui
