// The scaling study behind the charts: the scenario at growing numbers of devices, with DDP and
// nn.DataParallel.
#pragma once

#include <vector>

#include "gui/models/background_task.h"
#include "sim/study/study.h"

namespace paceline::gui {

struct Curve {
  StrategyKind kind = StrategyKind::distributed_data_parallel;
  std::vector<StudyRow> rows;  // by rising number of devices
};

class CurveModel : public BackgroundTask {
  Q_OBJECT

 public:
  // The catalog must outlive the model.
  explicit CurveModel(const Catalog& catalog, QObject* parent = nullptr);
  ~CurveModel() override { stop(); }

  void request(const Scenario& scenario);

  [[nodiscard]] const std::vector<Curve>& curves() const { return curves_; }
  // Of the strategy, or the first; null before the first answer.
  [[nodiscard]] const Curve* find(StrategyKind kind) const;

 signals:
  void changed();

 private:
  const Catalog& catalog_;
  std::vector<Curve> curves_;
};

// Numbers of devices on the curve of a scenario, its own among them.
[[nodiscard]] std::vector<int> curve_counts(const Catalog& catalog, const Scenario& scenario);

}  // namespace paceline::gui
