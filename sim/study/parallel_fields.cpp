#include "sim/study/parallel_fields.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  std::string name;
  std::function<void(Parallelism&, const JsonValue&)> read;
  std::function<Json(const Parallelism&)> write;  // null when it is as by default
};

template <class T>
const T& inner(const T& value) {
  return value;
}
template <class T>
const T& inner(const std::optional<T>& value) {
  return *value;
}

constexpr auto as_it_is = [](const auto& value) { return Json(value); };

template <class T, class Read, class Write>
Field field(const char* name, T Parallelism::*member, Read read, Write write) {
  return {name, [=](Parallelism& to, const JsonValue& value) { to.*member = read(value); },
          [=](const Parallelism& from) -> Json {
            return from.*member == Parallelism{}.*member ? Json() : write(inner(from.*member));
          }};
}

Field degree(const char* name, int Degrees::*member, int most) {
  return {name,
          [=](Parallelism& to, const JsonValue& value) {
            to.degrees.*member = static_cast<int>(value.integer(1, most));
          },
          [=](const Parallelism& from) {
            return from.degrees.*member == 1 ? Json() : Json(from.degrees.*member);
          }};
}

template <class T>
Field truth(const char* name, T Parallelism::*member) {
  return field(
      name, member, [](const JsonValue& value) { return value.boolean(); }, as_it_is);
}

template <class T>
Field count(const char* name, T Parallelism::*member, int least, int most) {
  return field(
      name, member, [=](const JsonValue& value) { return static_cast<int>(value.integer(least, most)); },
      as_it_is);
}

template <class T>
Field number(const char* name, T Parallelism::*member, double least, double most) {
  return field(
      name, member, [=](const JsonValue& value) { return value.number(least, most); }, as_it_is);
}

template <class T>
Field word(const char* name, T Parallelism::*member, const std::vector<std::string>& words) {
  using Choice = std::remove_cvref_t<decltype(inner(std::declval<T&>()))>;
  return field(
      name, member, [&words](const JsonValue& value) { return static_cast<Choice>(value.choice(words)); },
      [&words](Choice choice) { return Json(words[static_cast<std::size_t>(choice)]); });
}

const std::vector<std::string>& recompute_module_names() {
  static const std::vector<std::string> names{"mla_up_proj", "moe_act", "layernorm", "mlp"};
  return names;
}

std::vector<std::string> read_modules(const JsonValue& value) {
  std::vector<std::string> modules;
  for (const JsonValue& each : value.array())
    modules.push_back(recompute_module_names()[each.choice(recompute_module_names())]);
  return modules;
}

std::vector<int> read_stage_layers(const JsonValue& value) {
  std::vector<int> layers;
  for (const JsonValue& each : value.array()) layers.push_back(static_cast<int>(each.integer(0, 1 << 16)));
  return layers;
}

constexpr int most_ranks = 1 << 20;

std::vector<Field> model_fields() {
  using P = Parallelism;
  return {degree("tensor", &Degrees::tensor, 4096),
          degree("pipeline", &Degrees::pipeline, 4096),
          degree("virtual_stages", &Degrees::virtual_stages, 4096),
          degree("context", &Degrees::context, 4096),
          degree("expert", &Degrees::expert, 1 << 16),
          word("rank_order", &P::order, rank_order_names()),
          truth("sequence_parallel", &P::sequence_parallel),
          truth("tensor_overlap", &P::tensor_overlap),
          word("schedule", &P::schedule, pipeline_schedule_names()),
          truth("pipeline_overlap", &P::pipeline_overlap),
          field("stage_layers", &P::stage_layers, read_stage_layers, as_it_is),
          truth("balance_stages", &P::balance_stages),
          truth("embedding_counts", &P::embedding_counts),
          count("microbatch_group", &P::microbatch_group, 1, most_ranks),
          word("context_exchange", &P::context_exchange, context_exchange_names()),
          word("recompute", &P::recompute, recompute_names()),
          field("recompute_modules", &P::recompute_modules, read_modules, as_it_is)};
}

std::vector<Field> data_fields() {
  using P = Parallelism;
  return {count("zero_stage", &P::zero_stage, 0, 3),
          count("replicas", &P::replicas, 1, most_ranks),
          truth("overlap_gradients", &P::overlap_gradients),
          truth("overlap_parameters", &P::overlap_parameters),
          number("gradient_bytes", &P::gradient_bytes, 1, 8),
          truth("reshard_after_forward", &P::reshard_after_forward),
          truth("synchronise_last_only", &P::synchronise_last_only),
          word("offload_optimizer", &P::offload_optimizer, offload_names()),
          word("offload_parameters", &P::offload_parameters, offload_names())};
}

std::vector<Field> expert_fields() {
  using P = Parallelism;
  return {word("dispatcher", &P::dispatcher, dispatcher_names()),
          word("graph_scope", &P::graph_scope, graph_scope_names()),
          truth("expert_overlap", &P::expert_overlap),
          truth("grouped_experts", &P::grouped_experts),
          truth("token_drop", &P::token_drop),
          number("capacity_factor", &P::capacity_factor, 0.01, 1000),
          number("expert_imbalance", &P::expert_imbalance, 1, 1000),
          word("fp8", &P::fp8, fp8_recipe_names()),
          truth("fp8_dispatch", &P::fp8_dispatch),
          truth("fp8_attention", &P::fp8_attention)};
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> list = model_fields();
    for (auto part : {data_fields(), expert_fields()}) list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

}  // namespace

void read_parallelism(JsonObject& object, Parallelism& parallelism) {
  for (const Field& field : fields())
    if (const auto value = object.optional(field.name)) field.read(parallelism, *value);
}

void read_parallel_field(const std::string& name, const JsonValue& value, Parallelism& parallelism) {
  const auto& all = fields();
  std::find_if(all.begin(), all.end(), [&](const Field& field) {
    return field.name == name;
  })->read(parallelism, value);
}

std::vector<std::string> fields_of(const Parallelism& parallelism) {
  std::vector<std::string> names;
  for (const Field& field : fields())
    if (!field.write(parallelism).is_null()) names.push_back('"' + field.name + '"');
  return names;
}

void write_parallelism(const Parallelism& parallelism, nlohmann::ordered_json& json) {
  for (const Field& field : fields())
    if (Json value = field.write(parallelism); !value.is_null()) json[field.name] = std::move(value);
}

}  // namespace paceline
