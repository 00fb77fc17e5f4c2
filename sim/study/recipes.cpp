#include "sim/study/recipes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"

namespace paceline {
namespace {

const std::vector<std::string>& module_names() {
  static const std::vector<std::string> names{"mla_up_proj", "moe_act", "layernorm", "mlp"};
  return names;
}

std::vector<std::string> words(const JsonValue& value) {
  std::vector<std::string> list;
  for (const JsonValue& word : value.array()) list.push_back(word.string());
  if (list.empty()) value.fail("at least one name");
  return list;
}

RecipeCondition read_condition(JsonObject object) {
  RecipeCondition condition;
  if (const auto value = object.optional("fp8")) condition.fp8 = value->boolean();
  if (const auto value = object.optional("pipeline"))
    condition.pipeline = static_cast<int>(value->integer(1, 65536));
  if (const auto value = object.optional("micro_batch")) condition.micro_batch = value->number(1, 1e6);
  if (const auto value = object.optional("virtual_stages"))
    condition.virtual_stages = static_cast<int>(value->integer(1, 65536));
  object.finish();
  return condition;
}

RecipeSettings read_settings(const JsonValue& value) {
  JsonObject object = value.object();
  RecipeSettings settings;
  if (const auto when = object.optional("when")) settings.when = read_condition(when->object());
  if (const auto word = object.optional("dispatcher"))
    settings.dispatcher = static_cast<Dispatcher>(word->choice(dispatcher_names()));
  if (const auto word = object.optional("graph_scope"))
    settings.graph_scope = static_cast<GraphScope>(word->choice(graph_scope_names()));
  const auto flag = [&](const char* name, std::optional<bool>& target) {
    if (const auto truth = object.optional(name)) target = truth->boolean();
  };
  flag("balance_stages", settings.balance_stages);
  flag("expert_overlap", settings.expert_overlap);
  flag("grouped_experts", settings.grouped_experts);
  flag("fp8_attention", settings.fp8_attention);
  if (const auto list = object.optional("recompute_modules")) {
    settings.recompute_modules.emplace();
    for (const JsonValue& module : list->array())
      settings.recompute_modules->push_back(module_names()[module.choice(module_names())]);
  }
  object.finish();
  return settings;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool share(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::any_of(one.begin(), one.end(), [&](const std::string& word) { return contains(other, word); });
}

template <class Target>
void fill(std::optional<Target>& target, const std::optional<Target>& setting) {
  if (!target) target = setting;
}

}  // namespace

bool RecipeCondition::holds(const Strategy& strategy, double micro_batch_size) const {
  const Parallelism& parallel = strategy.parallel;
  if (fp8 && *fp8 != (parallel.fp8 != Fp8Recipe::none)) return false;
  if (pipeline && *pipeline != parallel.degrees.pipeline) return false;
  if (micro_batch && *micro_batch != micro_batch_size) return false;
  return parallel.degrees.virtual_stages >= virtual_stages;
}

std::vector<Recipe> read_recipes(const JsonValue& value) {
  JsonObject file = value.object();
  file.expect_format("paceline/recipe-1");
  const std::string name = file.required("name").string(), source = file.required("source").string();
  const std::vector<std::string> models = words(file.required("models"));
  std::vector<Recipe> recipes;
  for (const JsonValue& each : file.required("recipes").array()) {
    JsonObject object = each.object();
    Recipe recipe{
        name, source, models, words(object.required("frameworks")), words(object.required("devices")), {}};
    for (const JsonValue& settings : object.required("settings").array())
      recipe.settings.push_back(read_settings(settings));
    object.finish();
    recipes.push_back(std::move(recipe));
  }
  file.finish();
  return recipes;
}

RecipeCatalog RecipeCatalog::load(const std::string& folder) {
  RecipeCatalog catalog;
  for (const std::string& file :
       json_files(folder, "point --data or PACELINE_DATA to the project's scenarios folder"))
    for (Recipe& recipe : read_recipes(JsonValue::parse_file(file))) {
      for (const Recipe& other : catalog.recipes_)
        if (share(recipe.models, other.models) && share(recipe.frameworks, other.frameworks) &&
            share(recipe.devices, other.devices))
          throw InputError(file, fmt::format("a model, framework and device that \"{}\" has too", other.name),
                           "one recipe for each", "take them out of one of the two");
      catalog.recipes_.push_back(std::move(recipe));
    }
  return catalog;
}

const Recipe* RecipeCatalog::find(const std::string& framework, const std::string& model,
                                  const std::string& device) const {
  for (const Recipe& recipe : recipes_)
    if (contains(recipe.frameworks, framework) && contains(recipe.models, model) &&
        contains(recipe.devices, device))
      return &recipe;
  return nullptr;
}

void apply(const Recipe& recipe, double micro_batch, Strategy& strategy) {
  Parallelism& parallel = strategy.parallel;
  std::optional<std::vector<std::string>> modules;
  std::optional<bool> attention;
  for (const RecipeSettings& settings : recipe.settings) {
    if (!settings.when.holds(strategy, micro_batch)) continue;
    fill(parallel.dispatcher, settings.dispatcher);
    fill(parallel.graph_scope, settings.graph_scope);
    fill(parallel.balance_stages, settings.balance_stages);
    fill(parallel.expert_overlap, settings.expert_overlap);
    fill(parallel.grouped_experts, settings.grouped_experts);
    fill(modules, settings.recompute_modules);
    fill(attention, settings.fp8_attention);
  }
  if (modules && parallel.recompute == Recompute::none && parallel.recompute_modules.empty())
    parallel.recompute_modules = *modules;
  if (attention.value_or(false)) parallel.fp8_attention = true;
}

}  // namespace paceline
