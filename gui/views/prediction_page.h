// The answer: figures above, charts below them, the predicted timeline at the bottom.
#pragma once

#include <QWidget>

#include "gui/models/prediction_runner.h"
#include "gui/views/breakdown_chart.h"
#include "gui/views/headline_view.h"
#include "gui/views/memory_chart.h"
#include "gui/views/speedup_chart.h"
#include "gui/views/timeline_pane.h"

namespace paceline::gui {

class PredictionPage : public QWidget {
  Q_OBJECT

 public:
  explicit PredictionPage(QWidget* parent = nullptr);

  void show_estimate(Seconds step);
  void show_nothing();  // there is no answer
  void show_answer(const Answer& answer);
  // The breakdown follows the curve of the strategy.
  void show_curves(const CurveModel& curves, StrategyKind kind);
  void set_theme(const Theme& theme);
  [[nodiscard]] const Answer& answer() const { return answer_; }

 private:
  Answer answer_;
  HeadlineView* headline_;
  SpeedupChart* speedup_;
  BreakdownChart* breakdown_;
  MemoryChart* memory_;
  TimelinePane* timeline_;
};

}  // namespace paceline::gui
