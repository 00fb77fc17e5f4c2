// Answers the scenario on the screen: a closed-form estimate at once, then the simulated step.
#pragma once

#include <memory>

#include "gui/models/background_task.h"
#include "sim/study/study.h"

namespace paceline::gui {

// Shared with the views that draw its timeline; never changed once delivered.
using Answer = std::shared_ptr<const StudyRow>;

class PredictionRunner : public BackgroundTask {
  Q_OBJECT

 public:
  // The catalog must outlive the runner.
  explicit PredictionRunner(const Catalog& catalog, QObject* parent = nullptr);
  ~PredictionRunner() override { stop(); }

  void request(const Scenario& scenario);

 signals:
  void estimated(paceline::Seconds step);
  void predicted(const paceline::gui::Answer& answer);

 private:
  const Catalog& catalog_;
};

}  // namespace paceline::gui
