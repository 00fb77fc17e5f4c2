// Hugging Face's config.json as a model: the shapes that transformers would build from it.
#pragma once

#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/model/hugging_face/config.h"
#include "sim/model/model_recipe.h"

namespace paceline {

struct HuggingFaceModel {
  std::string title;
  ModelRecipe recipe;
};

// Throws InputError that lists the known model types for another one, and names the field that is missing or
// contradicts another. A sequence that is not given is the longest one, but at most 4096 tokens.
[[nodiscard]] HuggingFaceModel read_hugging_face(const JsonValue& config);
[[nodiscard]] std::vector<std::string> hugging_face_model_types();

// One reader a group of model types.
struct HuggingFaceFamily {
  const char* model_type;
  ModelRecipe (*read)(HuggingFaceConfig&);
};
[[nodiscard]] const std::vector<HuggingFaceFamily>& gated_decoder_families();
[[nodiscard]] const std::vector<HuggingFaceFamily>& plain_decoder_families();
[[nodiscard]] const std::vector<HuggingFaceFamily>& mixture_families();
[[nodiscard]] const std::vector<HuggingFaceFamily>& encoder_families();

}  // namespace paceline
