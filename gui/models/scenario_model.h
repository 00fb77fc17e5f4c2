// The question on the screen: a Scenario that the controls edit and everything else follows.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline::gui {

class ScenarioModel : public QObject {
  Q_OBJECT

 public:
  // The catalog must outlive the model.
  explicit ScenarioModel(const Catalog& catalog, QObject* parent = nullptr);

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

  // Replaces everything. Throws InputError, and changes nothing, if a name is unknown.
  void set_scenario(Scenario scenario);
  void set_model(const std::string& name);
  void set_cluster(const std::string& name);  // keeps the number of devices as far as the cluster has them
  void set_strategy(StrategyKind kind);       // one GPU and back remembers the number of devices
  void set_devices(int devices);
  // Any other field.
  void edit(const std::function<void(Scenario&)>& change);

  [[nodiscard]] int devices_per_node() const;
  [[nodiscard]] int most_devices() const;
  [[nodiscard]] std::vector<int> device_counts() const;
  // Tokens a sample, defaults filled in; 0 for models of images.
  [[nodiscard]] std::int64_t sequence() const;
  // MiB, from the framework where the scenario does not say.
  [[nodiscard]] Bytes bucket_cap() const;

 signals:
  void changed();

 private:
  void limit_devices(Scenario& scenario) const;

  const Catalog& catalog_;
  Scenario scenario_;
  int devices_before_single_ = 8;
};

// A question worth looking at before anything was chosen.
[[nodiscard]] Scenario default_scenario();

}  // namespace paceline::gui
