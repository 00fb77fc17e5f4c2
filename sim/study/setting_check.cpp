#include "sim/study/setting_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/study/parallel_fields.h"
#include "sim/study/setting.h"

namespace paceline {

void check_group(const Scenario& scenario, const Cluster& cluster, int per_node) {
  const int nodes = (scenario.devices + per_node - 1) / per_node;
  if (per_node > cluster.devices_per_node) {
    throw InputError(
        "devices_per_node", std::to_string(per_node),
        fmt::format("at most {}, the devices of a node of {}", cluster.devices_per_node, cluster.name),
        "choose a larger node");
  }
  if (nodes > 1 && !cluster.network) {
    throw InputError("devices", fmt::format("{} on nodes of {}", scenario.devices, per_node),
                     fmt::format("at most {}: {} has no network between nodes", per_node, cluster.name),
                     "choose a cluster with a network");
  }
  if (nodes > cluster.max_nodes) {
    throw InputError("devices", fmt::format("{}, {} nodes", scenario.devices, nodes),
                     fmt::format("at most {} nodes of {}", cluster.max_nodes, cluster.name),
                     "use fewer devices");
  }
  if (nodes > 1 && scenario.devices % per_node != 0) {
    throw InputError("devices", std::to_string(scenario.devices),
                     fmt::format("a multiple of the {} devices of a node", per_node), "fill every node");
  }
  if (scenario.strategy.kind == StrategyKind::single && scenario.devices != 1)
    throw InputError("devices", std::to_string(scenario.devices), "1 for the strategy \"single\"",
                     "choose \"ddp\" or \"dp\"");
}

void check_framework(const Framework& framework, const Strategy& strategy, const Model& model) {
  const std::string& kind = strategy_names()[static_cast<std::size_t>(strategy.kind)];
  const auto& known = framework.strategies;
  if (!known.empty() && std::find(known.begin(), known.end(), kind) == known.end())
    throw InputError("strategy", fmt::format("\"{}\" with framework \"{}\"", kind, framework.name),
                     fmt::format("one of {}", fmt::join(known, ", ")), "choose another framework");
  if (const auto fields = fields_of(strategy.parallel); !fields.empty() && !framework.transformer)
    throw InputError(
        "strategy", fmt::format("\"{}\" with {}", kind, fmt::join(fields, ", ")),
        fmt::format("a framework that is known to have them, which \"{}\" is not", framework.name),
        "remove them, or choose another framework");
  const bool convolutional = model.family == ModelFamily::convolutional;
  if (convolutional ? framework.transformer_only : framework.convolutional_only)
    throw InputError("framework", fmt::format("\"{}\" with model \"{}\"", framework.name, model.name),
                     convolutional ? "a transformer: no figures are known of its convolutional nets"
                                   : "a convolutional net: no figures are known of its transformers",
                     "choose another framework");
}

void check_synchronisation(const Framework& framework, const Strategy& strategy) {
  if (strategy.hook_rank > 1 && strategy.hook != GradientHook::power_sgd)
    throw InputError("hook_rank", std::to_string(strategy.hook_rank), "1 without the hook \"power_sgd\"",
                     "remove it, or choose that hook");
  const bool is_ddp = strategy.kind == StrategyKind::distributed_data_parallel;
  if (is_ddp && !is_split(strategy, framework)) return;
  const auto refuse = [&](const std::string& field, const std::string& value) {
    throw InputError(field, value,
                     "the strategy \"ddp\" alone, without a mesh, of a framework that has PyTorch's reducer",
                     "remove it");
  };
  if (strategy.hook != GradientHook::none)
    refuse("hook", fmt::format("\"{}\"", hook_names()[static_cast<std::size_t>(strategy.hook)]));
  if (strategy.synchronise_every_micro_batch) refuse("synchronise_every_micro_batch", "true");
  if (strategy.static_graph) refuse("static_graph", "true");
}

}  // namespace paceline
