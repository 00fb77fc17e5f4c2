#include "gui/models/scenario_model.h"

#include <algorithm>
#include <utility>

#include "gui/models/device_counts.h"

namespace paceline::gui {
namespace {

int per_node_of(const Catalog& catalog, const Scenario& scenario) {
  const int whole = catalog.hardware.cluster(scenario.cluster).devices_per_node;
  return scenario.devices_per_node.value_or(whole);
}

int most_of(const Catalog& catalog, const Scenario& scenario) {
  return most_devices(catalog.hardware.cluster(scenario.cluster), per_node_of(catalog, scenario),
                      scenario.strategy.kind);
}

}  // namespace

Scenario default_scenario() {
  Scenario scenario;
  scenario.model = "gpt2-medium";
  scenario.cluster = "a2-highgpu-8g";
  scenario.devices = 16;
  scenario.precision = Precision::fp16;
  scenario.batch_per_device = 8;
  scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  scenario.strategy.optimizer = Optimizer::adam;
  return scenario;
}

ScenarioModel::ScenarioModel(const Catalog& catalog, QObject* parent)
    : QObject(parent), catalog_(catalog), scenario_(default_scenario()) {}

void ScenarioModel::set_scenario(Scenario scenario) {
  // Aliases become names, so that the controls find their entries.
  scenario.model = catalog_.models.build(scenario.model, scenario.input).name;
  scenario.cluster = catalog_.hardware.cluster(scenario.cluster).name;
  scenario.strategy.framework = catalog_.frameworks.framework(scenario.strategy.framework).name;
  edit([&](Scenario& current) { current = std::move(scenario); });
}

void ScenarioModel::set_model(const std::string& name) {
  edit([&](Scenario& scenario) {
    if (scenario.model == name) return;
    scenario.model = name;
    scenario.input = {};  // sizes of another model's input mean nothing here
    scenario.measured = {};
  });
}

void ScenarioModel::set_cluster(const std::string& name) {
  edit([&](Scenario& scenario) {
    if (scenario.cluster == name) return;
    scenario.cluster = name;
    scenario.devices_per_node.reset();
    scenario.link_rate.reset();
    scenario.port_rate.reset();
    scenario.measured = {};
    limit_devices(scenario);
  });
}

void ScenarioModel::set_strategy(StrategyKind kind) {
  edit([&](Scenario& scenario) {
    const bool was_single = scenario.strategy.kind == StrategyKind::single;
    const bool is_single = kind == StrategyKind::single;
    if (is_single && !was_single) devices_before_single_ = scenario.devices;
    scenario.strategy.kind = kind;
    if (is_single != was_single) scenario.devices = is_single ? 1 : devices_before_single_;
    limit_devices(scenario);
  });
}

void ScenarioModel::set_devices(int devices) {
  edit([&](Scenario& scenario) { scenario.devices = std::clamp(devices, 1, most_of(catalog_, scenario)); });
}

void ScenarioModel::edit(const std::function<void(Scenario&)>& change) {
  Scenario edited = scenario_;
  change(edited);
  if (to_json(edited) == to_json(scenario_)) return;
  scenario_ = std::move(edited);
  emit changed();
}

int ScenarioModel::devices_per_node() const { return per_node_of(catalog_, scenario_); }

int ScenarioModel::most_devices() const { return most_of(catalog_, scenario_); }

std::vector<int> ScenarioModel::device_counts() const {
  return gui::device_counts(devices_per_node(), most_devices());
}

std::int64_t ScenarioModel::sequence() const {
  return catalog_.models.input_of(scenario_.model, scenario_.input).sequence;
}

Bytes ScenarioModel::bucket_cap() const {
  const Framework& framework = catalog_.frameworks.framework(scenario_.strategy.framework);
  return scenario_.strategy.bucket_cap.value_or(framework.gradients.bucket_cap);
}

// Numbers that fill no node stay as they are where they fit: the library says what is wrong with them.
void ScenarioModel::limit_devices(Scenario& scenario) const {
  const int per_node = per_node_of(catalog_, scenario);
  const int most = most_of(catalog_, scenario);
  if (scenario.devices <= most && (scenario.devices <= per_node || scenario.devices % per_node == 0)) return;
  const std::vector<int> counts = gui::device_counts(per_node, most);
  const auto above = std::upper_bound(counts.begin(), counts.end(), scenario.devices);
  scenario.devices = above == counts.begin() ? 1 : *std::prev(above);
}

}  // namespace paceline::gui
