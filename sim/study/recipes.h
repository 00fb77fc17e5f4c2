// Recipe: the switches of a framework release that its publisher set for a model on a device, and that his
// tables of results do not print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// When a group of settings holds; what is absent holds always.
struct RecipeCondition {
  std::optional<bool> fp8;  // matrix products in 8 bit
  std::optional<int> pipeline;
  std::optional<double> micro_batch;
  int virtual_stages = 1;  // at least

  [[nodiscard]] bool holds(const Strategy& strategy, double micro_batch_size) const;
};

struct RecipeSettings {
  RecipeCondition when;
  std::optional<Dispatcher> dispatcher;
  std::optional<GraphScope> graph_scope;
  std::optional<bool> balance_stages, expert_overlap, grouped_experts, fp8_attention;
  std::optional<std::vector<std::string>> recompute_modules;
};

struct Recipe {
  std::string name, source;
  std::vector<std::string> models, frameworks, devices;
  std::vector<RecipeSettings> settings;  // the first that holds decides a switch
};

// The recipes of a "paceline/recipe-1" file. Throws InputError.
[[nodiscard]] std::vector<Recipe> read_recipes(const JsonValue& value);

class RecipeCatalog {
 public:
  // Every file of `folder`. Throws InputError for a broken file, or a model on a device in a framework that
  // two recipes claim.
  static RecipeCatalog load(const std::string& folder);
  // By the names of framework, model and device; null when nobody wrote one down.
  [[nodiscard]] const Recipe* find(const std::string& framework, const std::string& model,
                                   const std::string& device) const;
  [[nodiscard]] const std::vector<Recipe>& all() const { return recipes_; }

 private:
  std::vector<Recipe> recipes_;
};

// Fills what the strategy leaves open. Recomputation is open when it names neither a kind nor modules.
void apply(const Recipe& recipe, double micro_batch, Strategy& strategy);

}  // namespace paceline
