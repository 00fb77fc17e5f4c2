#include "gui/models/prediction_runner.h"

#include <utility>
#include <vector>

namespace paceline::gui {

PredictionRunner::PredictionRunner(const Catalog& catalog, QObject* parent)
    : BackgroundTask(parent), catalog_(catalog) {}

void PredictionRunner::request(const Scenario& scenario) {
  start([this, scenario](const Post& post, const LatestWorker::IsNewest& is_newest) {
    const Seconds estimate = quick_estimate(catalog_, scenario);
    post([this, estimate] { emit estimated(estimate); });
    if (!is_newest()) return;
    const Study study = scaling_study(catalog_, scenario, {scenario.devices});
    std::vector<StudyRow> rows = run_study(catalog_, study, nullptr, true);
    const Answer answer = std::make_shared<const StudyRow>(std::move(rows.at(0)));
    post([this, answer] { emit predicted(answer); });
  });
}

}  // namespace paceline::gui
