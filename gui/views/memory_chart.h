// Peak memory of each device, stacked by cause, with the device's capacity as a line.
#pragma once

#include "gui/views/charts.h"
#include "sim/study/predict.h"

namespace paceline::gui {

class MemoryChart : public ChartPanel {
  Q_OBJECT

 public:
  explicit MemoryChart(QWidget* parent = nullptr);

  void set_prediction(const Prediction& prediction);
  void show_nothing();
  void set_theme(const Theme& theme) override;

 private:
  void draw();
  void draw_capacity();

  std::vector<RankMemory> memory_;
  Bytes capacity_;
};

}  // namespace paceline::gui
