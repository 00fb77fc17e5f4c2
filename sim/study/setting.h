// A scenario's names looked up: the model, the machine and the costs that a step is made of.
#pragma once

#include <memory>
#include <optional>

#include "base/profile.h"
#include "sim/cost/step_request.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline {

// What a scenario's names stand for; owns everything that a StepRequest refers to.
struct Setting {
  Model model;
  Device device;
  const HardwareCatalog* hardware;
  std::optional<KernelRates> rates;  // measured of the device, or inherited from its architecture
  Cluster cluster;
  Framework framework;
  KernelCost kernels;
  CollectiveCost collectives;
  int devices_per_node;
  Bytes capacity;
  double uncertainty;
  bool profile_unused;  // it was measured on another device
};

// `profile` may be null. Throws InputError for what cannot be asked.
[[nodiscard]] Setting setting_of(const Catalog& catalog, const Scenario& scenario, const Profile* profile);

// The scenario with its batch per device worked out, if it gives a global batch. Throws InputError, with the
// arithmetic, when the devices cannot share it.
[[nodiscard]] Scenario with_shared_batch(Scenario scenario);

// Samples of one micro-batch on all devices together.
[[nodiscard]] int micro_batch_of_all(const Scenario& scenario);
// Samples of a whole step.
[[nodiscard]] double samples_of_step(const Scenario& scenario);

// Ranks that each take their own samples.
[[nodiscard]] int data_ranks(const Scenario& scenario);

// Whether the step goes by the framework's rules for transformers over a mesh: it is sharded, asks for a
// switch of Parallelism, or its framework knows nothing else.
[[nodiscard]] bool is_split(const Strategy& strategy, const Framework& framework);

// The split step of a scenario, null when it is none; refers to the setting, which must outlive it. Throws
// InputError when the model cannot be split or nothing is known of the device's kernels.
[[nodiscard]] std::unique_ptr<SplitStep> split_step_of(const Setting& setting, const Scenario& scenario);

// How long the loader of a node takes for its samples of a step; 0 where nothing is known to hold it up.
[[nodiscard]] Seconds input_time(const Setting& setting, const Scenario& scenario);

// Refers to the setting and the scenario, which must outlive it. Without input and split step.
[[nodiscard]] StepRequest request_of(const Setting& setting, const Scenario& scenario);

// Measured times on one device replace the modelled ones: forward and backward each by its own, the rest in
// proportion to the whole step, host costs among it, which are scaled in the setting.
[[nodiscard]] ComputeScale calibrate(Setting& setting, const Scenario& scenario);

}  // namespace paceline
