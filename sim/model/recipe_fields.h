// How fields of a model file are read: bounds far above any net, and low enough that counts of elements stay
// inside 64 bits. Each throws InputError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/model/model_recipe.h"

namespace paceline {

constexpr std::int64_t most_classes = 1 << 24;  // and words of a vocabulary, and tokens
constexpr std::int64_t most_width = 1 << 20;
constexpr std::int64_t most_layers = 10000;
constexpr std::int64_t most_groups = 4096;
constexpr std::int64_t largest_image = 16384;

// 1 to `maximum`.
std::int64_t count(JsonObject& parameters, const std::string& name, std::int64_t maximum);
std::int64_t count_or(JsonObject& parameters, const std::string& name, std::int64_t otherwise,
                      std::int64_t maximum);
bool flag(JsonObject& parameters, const std::string& name);  // false if absent
// 1 to `at_most` numbers of 1 to `maximum`.
std::vector<std::int64_t> counts(JsonObject& parameters, const std::string& name, std::size_t at_most,
                                 std::int64_t maximum = 1000);

// Refuses an input that this kind of model does not have.
void refuse(double given, const std::string& argument, const std::string& kind);
// The value given, or `otherwise` for 0; 1 to `maximum`.
std::int64_t within(std::int64_t given, std::int64_t otherwise, std::int64_t maximum,
                    const std::string& argument);
// The input of a net over tokens with its defaults.
ModelInput resolve_tokens(const ModelInput& given, std::int64_t sequence, std::int64_t positions,
                          std::int64_t vocabulary);

// Readers of the builders' parameters, by kind.
ModelRecipe read_resnet(JsonObject& parameters);
ModelRecipe read_vgg(JsonObject& parameters);
ModelRecipe read_alexnet(JsonObject& parameters);
ModelRecipe read_inception(JsonObject& parameters);
ModelRecipe read_efficientnet(JsonObject& parameters);
ModelRecipe read_ssd(JsonObject& parameters);
ModelRecipe read_mlp(JsonObject& parameters);
ModelRecipe read_gpt2(JsonObject& parameters);
ModelRecipe read_llama(JsonObject& parameters);
ModelRecipe read_bert(JsonObject& parameters);
ModelRecipe read_decoder(JsonObject& parameters);
ModelRecipe read_encoder_decoder(JsonObject& parameters);
ModelRecipe read_vit(JsonObject& parameters);
ModelRecipe read_electra(JsonObject& parameters);
ModelRecipe read_transformer_xl(JsonObject& parameters);
ModelRecipe read_unet(JsonObject& parameters);
ModelRecipe read_mask_rcnn(JsonObject& parameters);
ModelRecipe read_retinanet(JsonObject& parameters);
ModelRecipe read_dlrm(JsonObject& parameters);
ModelRecipe read_ncf(JsonObject& parameters);
ModelRecipe read_gnmt(JsonObject& parameters);
struct BertSpec;
ModelRecipe bert_recipe(const BertSpec& spec);

template <class Spec>
ModelRecipe image_recipe(const Spec& spec, Model (*build)(const Spec&)) {
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    refuse(static_cast<double>(given.sequence), "sequence", "a net for images");
    refuse(static_cast<double>(given.vocabulary), "vocabulary", "a net for images");
    refuse(given.masked_positions, "masked_positions", "a net for images");
    ModelInput input;
    input.image = within(given.image, spec.image, largest_image, "image");
    return input;
  };
  recipe.build = [spec, build](const ModelInput& input) {
    Spec sized = spec;
    sized.image = input.image;
    return build(sized);
  };
  return recipe;
}

// Of nets that take tokens and no masked positions.
template <class Spec>
ModelRecipe token_recipe(const Spec& spec, Model (*build)(const Spec&)) {
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    refuse(given.masked_positions, "masked_positions", "a decoder");
    return resolve_tokens(given, spec.sequence, spec.positions, spec.vocabulary);
  };
  recipe.build = [spec, build](const ModelInput& input) {
    Spec sized = spec;
    sized.sequence = input.sequence;
    sized.vocabulary = input.vocabulary;
    return build(sized);
  };
  return recipe;
}

}  // namespace paceline
