// Scenario: one question. Which model, on which devices, split how, with what batch?
#pragma once

#include <optional>
#include <string>

#include "base/json_reader.h"
#include "base/quantity.h"
#include "sim/hardware/device.h"
#include "sim/model/model_catalog.h"
#include "sim/strategy/strategy.h"
#include "sim/study/catalog.h"

namespace paceline {

// Times measured on one device at the scenario's batch; what is given replaces the modelled compute.
struct MeasuredStep {
  std::optional<Seconds> step;  // forward, backward and optimizer together
  std::optional<Seconds> forward, backward;
};

struct Scenario {
  std::string name;
  std::string model = "resnet50";
  ModelInput input;
  std::string cluster = "dgx-1v";
  int devices = 1;                      // in all; nodes are filled one after the other
  std::optional<int> devices_per_node;  // fewer than the cluster's nodes have
  Precision precision = Precision::fp32;
  int batch_per_device = 32;        // samples of a micro-batch on one device
  std::optional<int> global_batch;  // samples of a whole step instead: the devices share them
  Strategy strategy;
  MeasuredStep measured;
  // What-if: another rate of the device's link, of a node's network port, in one direction.
  std::optional<BytesPerSecond> link_rate, port_rate;
  // What if the input pipeline delivered that many samples a second to each node; the framework's own where
  // it is known to hold up images.
  std::optional<double> input_rate;
};

// Where a scenario's words are looked up while it is read.
struct ScenarioLookup {
  const Catalog* catalog = nullptr;  // presets, and the layers of models; without it neither is known
  std::string model;                 // that will take the place of the scenario's, if not empty
  bool devices_vary = false;         // of a study: their number is not known yet
};

// Throws InputError naming the field. Fields are optional and default as above. Megatron's "micro_batch_size"
// and "global_batch_size" stand for "batch_per_device" and "global_batch"; both together give "accumulation".
[[nodiscard]] Scenario read_scenario(const JsonValue& value, const ScenarioLookup& lookup = {});
[[nodiscard]] std::string to_json(const Scenario& scenario);  // "paceline/scenario-1"

// Reads the fields of a scenario from an object that may hold others; `base` gives the defaults.
[[nodiscard]] Scenario read_scenario_fields(JsonObject& object, Scenario base,
                                            const ScenarioLookup& lookup = {});

}  // namespace paceline
