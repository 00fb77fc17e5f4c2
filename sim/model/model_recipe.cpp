#include "sim/model/model_recipe.h"

#include <array>
#include <utility>

#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

using Reader = ModelRecipe (*)(JsonObject&);
constexpr std::array<std::pair<const char*, Reader>, 21> readers{{{"alexnet", &read_alexnet},
                                                                  {"bert", &read_bert},
                                                                  {"decoder", &read_decoder},
                                                                  {"dlrm", &read_dlrm},
                                                                  {"efficientnet", &read_efficientnet},
                                                                  {"electra", &read_electra},
                                                                  {"encoder_decoder", &read_encoder_decoder},
                                                                  {"gnmt", &read_gnmt},
                                                                  {"gpt2", &read_gpt2},
                                                                  {"inception_v3", &read_inception},
                                                                  {"llama", &read_llama},
                                                                  {"mask_rcnn", &read_mask_rcnn},
                                                                  {"mlp", &read_mlp},
                                                                  {"ncf", &read_ncf},
                                                                  {"resnet", &read_resnet},
                                                                  {"retinanet", &read_retinanet},
                                                                  {"ssd_resnet50", &read_ssd},
                                                                  {"transformer_xl", &read_transformer_xl},
                                                                  {"unet", &read_unet},
                                                                  {"vgg", &read_vgg},
                                                                  {"vit", &read_vit}}};

}  // namespace

ModelRecipe read_model_recipe(const JsonValue& builder, JsonObject parameters) {
  std::vector<std::string> words;
  for (const auto& [word, reader] : readers) words.emplace_back(word);
  ModelRecipe recipe = readers[builder.choice(words)].second(parameters);
  parameters.finish();
  return recipe;
}

}  // namespace paceline
