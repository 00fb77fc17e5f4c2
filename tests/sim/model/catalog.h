// The model files of the source tree.
#pragma once

#include "sim/model/model_catalog.h"

namespace paceline {

inline ModelCatalog source_catalog() {
  return ModelCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios/models");
}

inline Model source_model(const std::string& name, const ModelInput& input = {}) {
  return source_catalog().build(name, input);
}

// Bytes that backward needs of a call with `batch` samples.
inline double saved_bytes(const Model& model, double batch, double element_bytes) {
  double sum = 0;
  for (const Layer& layer : model.layers)
    sum += batch * (layer.saved_elements * element_bytes + layer.saved_bytes) + layer.saved_bytes_per_call;
  return sum;
}

}  // namespace paceline
