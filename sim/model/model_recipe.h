// How a model file becomes a Model: its builder with its parameters, and which inputs a user may change.
#pragma once

#include <functional>
#include <string>

#include "base/json_reader.h"
#include "sim/model/model.h"
#include "sim/model/model_catalog.h"

namespace paceline {

struct ModelRecipe {
  // The input with the file's defaults filled in. Throws InputError if the model has no such input or limits
  // it.
  std::function<ModelInput(const ModelInput&)> resolve;
  std::function<Model(const ModelInput&)> build;  // of a resolved input
};

// `builder` is the value that names the builder, for the error. Throws InputError.
ModelRecipe read_model_recipe(const JsonValue& builder, JsonObject parameters);

}  // namespace paceline
