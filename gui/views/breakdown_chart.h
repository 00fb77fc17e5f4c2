// Where the step's time goes, over the number of devices.
#pragma once

#include "gui/models/curve_model.h"
#include "gui/views/charts.h"

namespace paceline::gui {

class BreakdownChart : public ChartPanel {
  Q_OBJECT

 public:
  explicit BreakdownChart(QWidget* parent = nullptr);

  void set_curve(const Curve& curve);
};

}  // namespace paceline::gui
