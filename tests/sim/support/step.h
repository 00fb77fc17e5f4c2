// A training step put together from the source tree's catalog, below the level of scenarios.
#pragma once

#include <optional>
#include <string>

#include "sim/cost/step_request.h"
#include "sim/study/catalog.h"

namespace paceline::test {

[[nodiscard]] std::string data_folder();
// Loaded once in a program; tests only read it.
[[nodiscard]] const Catalog& source_catalog();

struct StepCase {
  std::string model = "resnet50";
  ModelInput input{};
  std::string cluster = "dgx-1v";
  int devices = 1;
  int batch = 32;
  int scattered = 0;  // by nn.DataParallel over the devices; 0: batch x devices
  Precision precision = Precision::fp32;
  StrategyKind kind = StrategyKind::single;
  Strategy strategy{};  // its kind is replaced by `kind`
};

// Owns everything that a StepRequest refers to. The parts may be changed before `request` is called.
class Step {
 public:
  explicit Step(const StepCase& what, const Catalog& catalog = source_catalog(),
                const Profile* profile = nullptr);
  // Other hardware or another framework than the catalog's.
  Step(const StepCase& what, const Catalog& catalog, const Cluster& cluster, Framework framework,
       const Profile* profile = nullptr);

  [[nodiscard]] StepRequest request() const;
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const KernelCost& kernels() const { return kernels_; }
  [[nodiscard]] const CollectiveCost& collectives() const { return collectives_; }
  [[nodiscard]] const Framework& framework() const { return framework_; }

 private:
  StepCase case_;
  Strategy strategy_;
  Cluster cluster_;
  Framework framework_;
  Model model_;
  KernelCost kernels_;
  CollectiveCost collectives_;
};

}  // namespace paceline::test
