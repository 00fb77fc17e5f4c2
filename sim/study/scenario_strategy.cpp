#include "sim/study/scenario_strategy.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/study/megatron_options.h"
#include "sim/study/parallel_fields.h"

namespace paceline {
namespace {

template <class Target, class Read>
void read_optional(JsonObject& object, const std::string& name, Target& target, Read read) {
  if (const auto value = object.optional(name)) target = static_cast<Target>(read(*value));
}

Strategy read_object(JsonObject object, Strategy strategy, const StrategyLookup& lookup);

// A kind, or a preset, which fills in its fields.
Strategy read_kind(const JsonValue& value, Strategy strategy, const StrategyLookup& lookup) {
  std::vector<std::string> known = strategy_names();
  const Preset* preset = lookup.presets ? lookup.presets->find(value.string()) : nullptr;
  if (preset) {
    strategy.framework = preset->framework;
    return read_object(preset->strategy.object(), std::move(strategy), {nullptr, lookup.layers});
  }
  if (lookup.presets)
    for (const std::string& name : lookup.presets->names()) known.push_back(name);
  strategy.kind = static_cast<StrategyKind>(value.choice(known));
  return strategy;
}

void read_switches(JsonObject& object, Strategy& strategy) {
  const auto truth = [](const JsonValue& field) { return field.boolean(); };
  const auto bytes = [](const JsonValue& field) { return field.quantity<Bytes>(); };
  read_optional(object, "channels_last", strategy.channels_last, truth);
  read_optional(object, "overlap", strategy.overlap, truth);
  read_optional(object, "bucket_cap", strategy.bucket_cap, bytes);
  read_optional(object, "first_bucket", strategy.first_bucket, bytes);
  read_optional(object, "find_unused_parameters", strategy.find_unused_parameters, truth);
  read_optional(object, "static_graph", strategy.static_graph, truth);
  read_optional(object, "synchronise_every_micro_batch", strategy.synchronise_every_micro_batch, truth);
  read_optional(object, "hook", strategy.hook,
                [](const JsonValue& field) { return static_cast<GradientHook>(field.choice(hook_names())); });
  read_optional(object, "hook_rank", strategy.hook_rank,
                [](const JsonValue& field) { return field.integer(1, 2); });
  read_optional(object, "gradient_as_bucket_view", strategy.gradient_as_bucket_view, truth);
  read_optional(object, "broadcast_buffers", strategy.broadcast_buffers, truth);
  read_optional(object, "loss_in_model", strategy.loss_in_model, truth);
  read_optional(object, "fusion_threshold", strategy.fusion_threshold, bytes);
  read_optional(object, "cycle_time", strategy.cycle_time,
                [](const JsonValue& field) { return field.quantity<Seconds>(); });
  read_optional(object, "servers", strategy.servers,
                [](const JsonValue& field) { return field.integer(1, 4096); });
  read_optional(object, "placement", strategy.placement, [](const JsonValue& field) {
    return static_cast<Placement>(field.choice(placement_names()));
  });
  read_optional(object, "asynchronous", strategy.asynchronous, truth);
}

Strategy read_object(JsonObject object, Strategy strategy, const StrategyLookup& lookup) {
  strategy = read_kind(object.required("kind"), std::move(strategy), lookup);
  read_switches(object, strategy);
  read_parallelism(object, strategy.parallel);
  read_megatron_options(object, strategy, lookup);
  object.finish();
  return strategy;
}

}  // namespace

Strategy read_strategy(const JsonValue& value, const Strategy& base, const StrategyLookup& lookup) {
  return value.is_string() ? read_kind(value, base, lookup) : read_object(value.object(), base, lookup);
}

nlohmann::ordered_json strategy_json(const Strategy& strategy) {
  using Json = nlohmann::ordered_json;
  Json split{{"kind", strategy_names()[static_cast<std::size_t>(strategy.kind)]}};
  if (strategy.channels_last) split["channels_last"] = *strategy.channels_last;
  if (strategy.overlap) split["overlap"] = *strategy.overlap;
  if (strategy.bucket_cap) split["bucket_cap"] = strategy.bucket_cap->value();
  if (strategy.first_bucket) split["first_bucket"] = strategy.first_bucket->value();
  split["find_unused_parameters"] = strategy.find_unused_parameters;
  if (strategy.static_graph) split["static_graph"] = true;
  if (strategy.synchronise_every_micro_batch) split["synchronise_every_micro_batch"] = true;
  if (strategy.hook != GradientHook::none)
    split["hook"] = hook_names()[static_cast<std::size_t>(strategy.hook)];
  if (strategy.hook == GradientHook::power_sgd) split["hook_rank"] = strategy.hook_rank;
  split["gradient_as_bucket_view"] = strategy.gradient_as_bucket_view;
  split["broadcast_buffers"] = strategy.broadcast_buffers;
  if (strategy.loss_in_model) split["loss_in_model"] = *strategy.loss_in_model;
  if (strategy.fusion_threshold) split["fusion_threshold"] = strategy.fusion_threshold->value();
  if (strategy.cycle_time) split["cycle_time"] = strategy.cycle_time->value();
  if (strategy.kind == StrategyKind::parameter_server) {
    split["servers"] = strategy.servers;
    split["placement"] = placement_names()[static_cast<std::size_t>(strategy.placement)];
    split["asynchronous"] = strategy.asynchronous;
  }
  write_parallelism(strategy.parallel, split);
  return split;
}

Strategy unsplit(Strategy strategy) {
  Parallelism alone;
  alone.recompute = strategy.parallel.recompute;
  alone.recompute_modules = strategy.parallel.recompute_modules;
  alone.graph_scope = strategy.parallel.graph_scope;
  alone.grouped_experts = strategy.parallel.grouped_experts;
  alone.token_drop = strategy.parallel.token_drop;
  alone.capacity_factor = strategy.parallel.capacity_factor;
  alone.fp8 = strategy.parallel.fp8;
  alone.fp8_attention = strategy.parallel.fp8_attention;
  strategy.parallel = alone;
  strategy.kind = StrategyKind::single;
  strategy.static_graph = strategy.synchronise_every_micro_batch = false;
  strategy.hook = GradientHook::none;
  strategy.hook_rank = 1;
  return strategy;
}

}  // namespace paceline
