#include "sim/study/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/cost/profile_device.h"
#include "sim/study/parallel_fields.h"
#include "sim/study/setting_check.h"

namespace paceline {
namespace {

// What depends on the kind of net and on how its tensors lie.
Framework for_kernels(Framework framework, const KernelSettings& settings) {
  if (settings.family == ModelFamily::convolutional && framework.convolutional_mixed_traffic)
    framework.mixed_precision_traffic = *framework.convolutional_mixed_traffic;
  const bool available = settings.channels_last && is_mixed(settings.precision);
  if (framework.fused_channels_last_only && !available) framework.fused = false;
  return framework;
}

Cluster what_if(Cluster cluster, const Scenario& scenario) {
  if (scenario.link_rate) cluster.interconnect.rate = *scenario.link_rate;
  if (scenario.port_rate && cluster.network) cluster.network->rate = *scenario.port_rate;
  return cluster;
}

// Everything that a host thread dispatches goes as its speed; the small kernels of a gradient too, since they
// wait for their launches.
Framework on_host(Framework framework, double speed) {
  for (Seconds* cost :
       {&framework.host.forward_operator, &framework.host.backward_operator, &framework.host.optimizer_tensor,
        &framework.host.replicate_object, &framework.gradients.per_tensor})
    *cost = *cost / speed;
  if (framework.mirrored) {
    framework.mirrored->per_tensor = framework.mirrored->per_tensor / speed;
    framework.mirrored->network_per_tensor = framework.mirrored->network_per_tensor / speed;
  }
  return framework;
}

}  // namespace

Setting setting_of(const Catalog& catalog, const Scenario& scenario, const Profile* profile) {
  const Cluster cluster = what_if(catalog.hardware.cluster(scenario.cluster), scenario);
  const int per_node = scenario.devices_per_node.value_or(cluster.devices_per_node);
  check_group(scenario, cluster, per_node);
  Device device = catalog.hardware.device(cluster.device);
  Architecture architecture = catalog.hardware.architecture(device.architecture);
  const bool unused = profile && !profile_applies(*profile, device);
  if (unused) profile = nullptr;
  if (profile) {
    if (!profile->memory.empty())
      architecture.bandwidth_share = 1;  // the measured rate is what kernels reach
    device = with_profile(std::move(device), *profile);
  }
  const Framework framework =
      on_host(catalog.frameworks.framework(scenario.strategy.framework), architecture.host_speed);
  Model model = catalog.models.build(scenario.model, scenario.input);
  check_framework(framework, scenario.strategy, model);
  check_synchronisation(framework, scenario.strategy);
  const KernelSettings settings{
      scenario.precision, scenario.strategy.channels_last.value_or(framework.channels_last), model.family};
  std::optional<KernelRates> rates = catalog.kernel_rates.rates_of(catalog.hardware, device);
  std::optional<KernelRates> measured;
  if (const KernelRates* own = catalog.kernel_rates.measured(device.name)) measured = *own;
  for (std::optional<KernelRates>* each : {&rates, &measured})
    if (*each && profile) *each = with_profile(std::move(**each), *profile);
  KernelCost kernels(device, architecture, catalog.kernels, for_kernels(framework, settings), settings,
                     profile, measured ? &*measured : nullptr);
  return {std::move(model),
          device,
          &catalog.hardware,
          std::move(rates),
          cluster,
          framework,
          std::move(kernels),
          CollectiveCost(catalog.hardware, cluster, profile),
          per_node,
          device.memory,
          std::hypot(architecture.uncertainty, framework.uncertainty),
          unused};
}

int data_ranks(const Scenario& scenario) {
  return std::max(1, scenario.devices / scenario.strategy.parallel.degrees.model());
}

int micro_batch_of_all(const Scenario& scenario) {
  return scenario.global_batch ? *scenario.global_batch / scenario.strategy.accumulation
                               : scenario.batch_per_device * data_ranks(scenario);
}

double samples_of_step(const Scenario& scenario) {
  return static_cast<double>(micro_batch_of_all(scenario)) * scenario.strategy.accumulation;
}

bool is_split(const Strategy& strategy, const Framework& framework) {
  const bool sharded = strategy.kind == StrategyKind::zero || strategy.kind == StrategyKind::fully_sharded;
  return sharded || !fields_of(strategy.parallel).empty() ||
         (framework.transformer && framework.transformer_only);
}

std::unique_ptr<SplitStep> split_step_of(const Setting& setting, const Scenario& scenario) {
  if (!is_split(scenario.strategy, setting.framework)) return nullptr;
  if (!setting.framework.transformer)
    throw InputError("framework", fmt::format("\"{}\"", setting.framework.name),
                     "one whose rules for transformers over a mesh are known", "choose \"megatron-core\"");
  if (!setting.rates)
    throw InputError("cluster", fmt::format("\"{}\" with {}", setting.cluster.name, setting.device.title),
                     "a device of an architecture of which kernels were measured",
                     "choose another cluster, or measure the device with paceline-probe");
  if (scenario.measured.step || scenario.measured.forward || scenario.measured.backward)
    throw InputError("measured", "times of one device that holds the whole model",
                     "none: they say nothing of the parts of a split model", "remove it");
  const Mesh mesh(scenario.strategy.parallel, scenario.devices, setting.devices_per_node);
  const TransformerRequest request{setting.model,
                                   scenario.strategy,
                                   setting.framework,
                                   mesh,
                                   setting.device,
                                   *setting.rates,
                                   setting.cluster,
                                   scenario.precision,
                                   static_cast<double>(scenario.batch_per_device),
                                   setting.hardware};
  return SplitStep::make(request, setting.collectives, scenario.strategy.accumulation);
}

// A global batch is shared out: nn.DataParallel scatters it as it can, all others need equal parts.
Scenario with_shared_batch(Scenario scenario) {
  if (!scenario.global_batch) return scenario;
  const int batch = *scenario.global_batch, ranks = data_ranks(scenario);
  const int shares = ranks * scenario.strategy.accumulation;
  const std::string found =
      fmt::format("{} samples for {} {} times {} micro-batch{}", batch, ranks,
                  ranks == scenario.devices ? "devices" : "data-parallel ranks",
                  scenario.strategy.accumulation, scenario.strategy.accumulation == 1 ? "" : "es");
  // Fewer samples than devices leave some of nn.DataParallel's idle.
  const bool scatters = scenario.strategy.kind == StrategyKind::data_parallel;
  const int portions = scatters ? scenario.strategy.accumulation : shares;
  if (batch < portions)
    throw InputError("global_batch", found, "at least one sample for each",
                     "use fewer devices or a larger batch");
  if (batch % portions != 0)
    throw InputError("global_batch", found, "a multiple of their number",
                     fmt::format("use {}", batch / portions * portions));
  scenario.batch_per_device = (batch + shares - 1) / shares;
  return scenario;
}

Seconds input_time(const Setting& setting, const Scenario& scenario) {
  const bool images = setting.model.family == ModelFamily::convolutional;
  const auto rate = scenario.input_rate ? scenario.input_rate
                    : images            ? setting.framework.input_rate
                                        : std::nullopt;
  if (!rate) return Seconds(0);
  const int nodes = (scenario.devices + setting.devices_per_node - 1) / setting.devices_per_node;
  return Seconds(samples_of_step(scenario) / nodes / *rate);
}

StepRequest request_of(const Setting& setting, const Scenario& scenario) {
  return {setting.model,
          scenario.strategy,
          setting.framework,
          setting.kernels,
          setting.collectives,
          scenario.devices,
          setting.devices_per_node,
          scenario.batch_per_device,
          micro_batch_of_all(scenario),
          {}};
}

}  // namespace paceline
