#include "tests/sim/support/step.h"

#include <utility>

namespace paceline::test {
namespace {

KernelCost kernels_of(const StepCase& what, const Catalog& catalog, const Cluster& cluster,
                      const Framework& framework, const Model& model, const Profile* profile) {
  const Device& device = catalog.hardware.device(cluster.device);
  const bool channels_last = what.strategy.channels_last.value_or(framework.channels_last);
  return {device,    catalog.hardware.architecture(device.architecture), catalog.kernels,
          framework, {what.precision, channels_last, model.family},      profile};
}

Strategy of_kind(Strategy strategy, StrategyKind kind) {
  strategy.kind = kind;
  return strategy;
}

}  // namespace

std::string data_folder() { return std::string(PACELINE_SOURCE_DIR) + "/scenarios"; }

const Catalog& source_catalog() {
  static const Catalog catalog = Catalog::load(data_folder());
  return catalog;
}

Step::Step(const StepCase& what, const Catalog& catalog, const Profile* profile)
    : Step(what, catalog, catalog.hardware.cluster(what.cluster),
           catalog.frameworks.framework(what.strategy.framework), profile) {}

Step::Step(const StepCase& what, const Catalog& catalog, const Cluster& cluster, Framework framework,
           const Profile* profile)
    : case_(what),
      strategy_(of_kind(what.strategy, what.kind)),
      cluster_(cluster),
      framework_(std::move(framework)),
      model_(catalog.models.build(what.model, what.input)),
      kernels_(kernels_of(what, catalog, cluster_, framework_, model_, profile)),
      collectives_(catalog.hardware, cluster_, profile) {}

StepRequest Step::request() const {
  return {model_,
          strategy_,
          framework_,
          kernels_,
          collectives_,
          case_.devices,
          cluster_.devices_per_node,
          case_.batch,
          case_.scattered > 0 ? case_.scattered : case_.batch * case_.devices,
          {}};
}

}  // namespace paceline::test
