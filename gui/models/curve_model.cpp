#include "gui/models/curve_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gui/models/device_counts.h"

namespace paceline::gui {
namespace {

// Further points cost time and say little: the curve has become straight.
constexpr int usual_end_of_curve = 64;

}  // namespace

std::vector<int> curve_counts(const Catalog& catalog, const Scenario& scenario) {
  const Cluster& cluster = catalog.hardware.cluster(scenario.cluster);
  const int per_node = scenario.devices_per_node.value_or(cluster.devices_per_node);
  const StrategyKind kind = scenario.strategy.kind;
  const int most = most_devices(cluster, per_node, kind);
  std::vector<int> counts =
      device_counts(per_node, std::min(most, std::max({usual_end_of_curve, per_node, scenario.devices})));
  const bool is_full = scenario.devices <= per_node || scenario.devices % per_node == 0;
  if (scenario.devices <= most && is_full) counts.push_back(scenario.devices);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

CurveModel::CurveModel(const Catalog& catalog, QObject* parent) : BackgroundTask(parent), catalog_(catalog) {}

const Curve* CurveModel::find(StrategyKind kind) const {
  for (const Curve& curve : curves_)
    if (curve.kind == kind) return &curve;
  return curves_.empty() ? nullptr : &curves_.front();
}

void CurveModel::request(const Scenario& scenario) {
  start([this, scenario](const Post& post, const LatestWorker::IsNewest& is_newest) {
    std::vector<Curve> curves;
    for (const StrategyKind kind : {StrategyKind::distributed_data_parallel, StrategyKind::data_parallel}) {
      if (!is_newest()) return;
      Scenario each = scenario;
      each.strategy.kind = kind;
      const Study study = scaling_study(catalog_, each, curve_counts(catalog_, each));
      curves.push_back({kind, run_study(catalog_, study, nullptr, false)});
    }
    post([this, curves = std::move(curves)] {
      curves_ = curves;
      emit changed();
    });
  });
}

}  // namespace paceline::gui
