#include "sim/model/model_recipe.h"

#include <array>
#include <utility>

#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

using Reader = ModelRecipe (*)(JsonObject&);
constexpr std::array<std::pair<const char*, Reader>, 11> readers{{{"alexnet", &read_alexnet},
                                                                  {"bert", &read_bert},
                                                                  {"decoder", &read_decoder},
                                                                  {"efficientnet", &read_efficientnet},
                                                                  {"gpt2", &read_gpt2},
                                                                  {"inception_v3", &read_inception},
                                                                  {"llama", &read_llama},
                                                                  {"mlp", &read_mlp},
                                                                  {"resnet", &read_resnet},
                                                                  {"ssd_resnet50", &read_ssd},
                                                                  {"vgg", &read_vgg}}};

}  // namespace

ModelRecipe read_model_recipe(const JsonValue& builder, JsonObject parameters) {
  std::vector<std::string> words;
  for (const auto& [word, reader] : readers) words.emplace_back(word);
  ModelRecipe recipe = readers[builder.choice(words)].second(parameters);
  parameters.finish();
  return recipe;
}

}  // namespace paceline
