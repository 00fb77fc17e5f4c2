#include "sim/model/hugging_face/hugging_face.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace paceline {
namespace {

std::vector<HuggingFaceFamily> all_families() {
  std::vector<HuggingFaceFamily> all;
  for (const auto* group :
       {&gated_decoder_families(), &plain_decoder_families(), &mixture_families(), &encoder_families()})
    all.insert(all.end(), group->begin(), group->end());
  return all;
}

}  // namespace

std::vector<std::string> hugging_face_model_types() {
  std::vector<std::string> types;
  for (const HuggingFaceFamily& family : all_families()) types.emplace_back(family.model_type);
  std::sort(types.begin(), types.end());
  return types;
}

HuggingFaceModel read_hugging_face(const JsonValue& value) {
  HuggingFaceConfig config(value);
  const std::string known = fmt::format("one of {}", fmt::join(hugging_face_model_types(), ", "));
  const auto type = config.find({"model_type"});
  if (!type)
    throw InputError(value.where(), "no \"model_type\" and no \"format\"",
                     "a Hugging Face config.json or a model file of Paceline",
                     "add \"model_type\": " + known);
  const std::string name = type->string();
  for (const HuggingFaceFamily& family : all_families()) {
    if (name != family.model_type) continue;
    HuggingFaceModel model;
    model.recipe = family.read(config);
    const std::string origin = config.text("_name_or_path", "");
    model.title = origin.empty() ? name : origin;
    return model;
  }
  type->fail(known, "describe the model in a file of scenarios/models instead");
}

}  // namespace paceline
