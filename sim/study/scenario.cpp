#include "sim/study/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace paceline {
namespace {

constexpr std::int64_t most_devices = 1 << 20;

template <class Target, class Read>
void read_optional(JsonObject& object, const std::string& name, Target& target, Read read) {
  if (const auto value = object.optional(name)) target = static_cast<Target>(read(*value));
}

// Either just the strategy's name, or an object with its switches.
Strategy read_strategy(const JsonValue& value, Strategy strategy) {
  if (value.is_string()) {
    strategy.kind = static_cast<StrategyKind>(value.choice(strategy_names()));
    return strategy;
  }
  JsonObject object = value.object();
  const auto truth = [](const JsonValue& field) { return field.boolean(); };
  const auto bytes = [](const JsonValue& field) { return field.quantity<Bytes>(); };
  strategy.kind = static_cast<StrategyKind>(object.required("kind").choice(strategy_names()));
  read_optional(object, "channels_last", strategy.channels_last, truth);
  read_optional(object, "overlap", strategy.overlap, truth);
  read_optional(object, "bucket_cap", strategy.bucket_cap, bytes);
  read_optional(object, "first_bucket", strategy.first_bucket, bytes);
  read_optional(object, "find_unused_parameters", strategy.find_unused_parameters, truth);
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
  object.finish();
  return strategy;
}

MeasuredStep read_measured(const JsonValue& value) {
  JsonObject object = value.object();
  MeasuredStep measured;
  const auto time = [](const JsonValue& field) {
    const Seconds seconds = field.quantity<Seconds>();
    if (seconds <= Seconds(0)) field.fail("a time above 0");
    return seconds;
  };
  read_optional(object, "step", measured.step, time);
  read_optional(object, "forward", measured.forward, time);
  read_optional(object, "backward", measured.backward, time);
  object.finish();
  return measured;
}

}  // namespace

Scenario read_scenario_fields(JsonObject& object, Scenario scenario) {
  const auto text = [](const JsonValue& field) { return field.string(); };
  const auto rate = [](const JsonValue& field) {
    const auto value = field.quantity<BytesPerSecond>();
    if (value <= BytesPerSecond(0)) field.fail("a rate above 0");
    return value;
  };
  const auto count = [](std::int64_t most) {
    return [most](const JsonValue& field) { return field.integer(1, most); };
  };
  read_optional(object, "name", scenario.name, text);
  read_optional(object, "model", scenario.model, text);
  read_optional(object, "sequence", scenario.input.sequence, count(1 << 20));
  read_optional(object, "image", scenario.input.image, count(1 << 14));
  read_optional(object, "vocabulary", scenario.input.vocabulary, count(1 << 24));
  read_optional(object, "masked_positions", scenario.input.masked_positions, count(1 << 20));
  read_optional(object, "cluster", scenario.cluster, text);
  read_optional(object, "devices", scenario.devices, count(most_devices));
  read_optional(object, "devices_per_node", scenario.devices_per_node, count(1024));
  read_optional(object, "precision", scenario.precision, [](const JsonValue& field) {
    return static_cast<Precision>(field.choice(precision_names()));
  });
  read_optional(object, "batch_per_device", scenario.batch_per_device, count(1 << 20));
  if (const auto batch = object.optional("global_batch")) {
    if (object.optional("batch_per_device"))
      batch->fail("one of \"global_batch\" and \"batch_per_device\"", "remove one of them");
    scenario.global_batch = static_cast<int>(batch->integer(1, 1 << 30));
  }
  read_optional(object, "accumulation", scenario.strategy.accumulation, count(1 << 20));
  read_optional(object, "optimizer", scenario.strategy.optimizer, [](const JsonValue& field) {
    return static_cast<Optimizer>(field.choice(optimizer_names()));
  });
  read_optional(object, "framework", scenario.strategy.framework, text);
  if (const auto strategy = object.optional("strategy"))
    scenario.strategy = read_strategy(*strategy, scenario.strategy);
  if (const auto measured = object.optional("measured")) scenario.measured = read_measured(*measured);
  read_optional(object, "link_rate", scenario.link_rate, rate);
  read_optional(object, "port_rate", scenario.port_rate, rate);
  return scenario;
}

Scenario read_scenario(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/scenario-1");
  Scenario scenario = read_scenario_fields(object, Scenario{});
  object.finish();
  return scenario;
}

std::string to_json(const Scenario& scenario) {
  using Json = nlohmann::ordered_json;
  const Strategy& strategy = scenario.strategy;
  Json split{{"kind", strategy_names()[static_cast<std::size_t>(strategy.kind)]}};
  if (strategy.channels_last) split["channels_last"] = *strategy.channels_last;
  if (strategy.overlap) split["overlap"] = *strategy.overlap;
  if (strategy.bucket_cap) split["bucket_cap"] = strategy.bucket_cap->value();
  if (strategy.first_bucket) split["first_bucket"] = strategy.first_bucket->value();
  split["find_unused_parameters"] = strategy.find_unused_parameters;
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
  Json json{{"format", "paceline/scenario-1"}};
  if (!scenario.name.empty()) json["name"] = scenario.name;
  json["model"] = scenario.model;
  if (scenario.input.sequence > 0) json["sequence"] = scenario.input.sequence;
  if (scenario.input.image > 0) json["image"] = scenario.input.image;
  if (scenario.input.vocabulary > 0) json["vocabulary"] = scenario.input.vocabulary;
  if (scenario.input.masked_positions > 0) json["masked_positions"] = scenario.input.masked_positions;
  json["cluster"] = scenario.cluster;
  json["devices"] = scenario.devices;
  if (scenario.devices_per_node) json["devices_per_node"] = *scenario.devices_per_node;
  json["precision"] = to_string(scenario.precision);
  if (scenario.global_batch)
    json["global_batch"] = *scenario.global_batch;
  else
    json["batch_per_device"] = scenario.batch_per_device;
  json["accumulation"] = strategy.accumulation;
  json["optimizer"] = optimizer_names()[static_cast<std::size_t>(strategy.optimizer)];
  json["framework"] = strategy.framework;
  json["strategy"] = std::move(split);
  const auto add_time = [&](const char* name, const std::optional<Seconds>& time) {
    if (time) json["measured"][name] = time->value();
  };
  add_time("step", scenario.measured.step);
  add_time("forward", scenario.measured.forward);
  add_time("backward", scenario.measured.backward);
  if (scenario.link_rate) json["link_rate"] = scenario.link_rate->value();
  if (scenario.port_rate) json["port_rate"] = scenario.port_rate->value();
  return json.dump(2) + "\n";
}

}  // namespace paceline
