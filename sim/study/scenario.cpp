#include "sim/study/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/study/megatron_options.h"
#include "sim/study/scenario_strategy.h"

namespace paceline {
namespace {

constexpr std::int64_t most_devices = 1 << 20;

template <class Target, class Read>
void read_optional(JsonObject& object, const std::string& name, Target& target, Read read) {
  if (const auto value = object.optional(name)) target = static_cast<Target>(read(*value));
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

StrategyLookup lookup_of(const Scenario& scenario, const ScenarioLookup& lookup) {
  if (!lookup.catalog) return {};
  const std::string model = lookup.model.empty() ? scenario.model : lookup.model;
  return {&lookup.catalog->presets, [catalog = lookup.catalog, model] {
            return static_cast<std::int64_t>(catalog->models.build(model).blocks.size());
          }};
}

// A whole step's samples over those of a micro-batch on every copy of the model.
int accumulation_of(const Scenario& scenario, const JsonValue& global) {
  const std::int64_t model = scenario.strategy.parallel.degrees.model();
  const std::int64_t copies = scenario.devices / model, whole = global.integer(1, 1 << 30);
  const std::int64_t once = scenario.batch_per_device * copies;
  if (copies == 0 || whole % once != 0)
    global.fail(fmt::format("a multiple of {} samples x {} devices / ({} devices a copy of the model)",
                            scenario.batch_per_device, scenario.devices, model));
  return static_cast<int>(whole / once);
}

void read_batch(JsonObject& object, Scenario& scenario, bool devices_vary) {
  const auto size = [&](const char* name, const char* option) {
    const auto own = object.optional(name), megatron = megatron_option(object, option);
    if (own && megatron)
      megatron->fail(fmt::format("one of \"{}\" and \"{}\"", name, option), "remove one of them");
    return own ? own : megatron;
  };
  const auto micro = size("batch_per_device", "micro_batch_size");
  const auto global = size("global_batch", "global_batch_size");
  if (micro) scenario.batch_per_device = static_cast<int>(micro->integer(1, 1 << 20));
  if (!global) return;
  if (!micro) {
    scenario.global_batch = static_cast<int>(global->integer(1, 1 << 30));
  } else if (object.optional("batch_per_device") || object.optional("global_batch") ||
             object.optional("accumulation") || devices_vary) {
    global->fail("one of \"global_batch\" and \"batch_per_device\"", "remove one of them");
  } else {
    scenario.strategy.accumulation = accumulation_of(scenario, *global);
  }
}

}  // namespace

Scenario read_scenario_fields(JsonObject& object, Scenario scenario, const ScenarioLookup& lookup) {
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
  read_optional(object, "accumulation", scenario.strategy.accumulation, count(1 << 20));
  read_optional(object, "optimizer", scenario.strategy.optimizer, [](const JsonValue& field) {
    return static_cast<Optimizer>(field.choice(optimizer_names()));
  });
  if (const auto strategy = object.optional("strategy"))
    scenario.strategy = read_strategy(*strategy, scenario.strategy, lookup_of(scenario, lookup));
  // The scenario's own goes before a preset's.
  read_optional(object, "framework", scenario.strategy.framework, text);
  read_batch(object, scenario, lookup.devices_vary);
  if (const auto measured = object.optional("measured")) scenario.measured = read_measured(*measured);
  read_optional(object, "link_rate", scenario.link_rate, rate);
  read_optional(object, "port_rate", scenario.port_rate, rate);
  read_optional(object, "input_rate", scenario.input_rate,
                [](const JsonValue& field) { return field.number(0.001, 1e9); });
  return scenario;
}

Scenario read_scenario(const JsonValue& value, const ScenarioLookup& lookup) {
  JsonObject object = value.object();
  object.expect_format("paceline/scenario-1");
  Scenario scenario = read_scenario_fields(object, Scenario{}, lookup);
  object.finish();
  return scenario;
}

std::string to_json(const Scenario& scenario) {
  using Json = nlohmann::ordered_json;
  const Strategy& strategy = scenario.strategy;
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
  json["strategy"] = strategy_json(strategy);
  const auto add_time = [&](const char* name, const std::optional<Seconds>& time) {
    if (time) json["measured"][name] = time->value();
  };
  add_time("step", scenario.measured.step);
  add_time("forward", scenario.measured.forward);
  add_time("backward", scenario.measured.backward);
  if (scenario.link_rate) json["link_rate"] = scenario.link_rate->value();
  if (scenario.port_rate) json["port_rate"] = scenario.port_rate->value();
  if (scenario.input_rate) json["input_rate"] = *scenario.input_rate;
  return json.dump(2) + "\n";
}

}  // namespace paceline
