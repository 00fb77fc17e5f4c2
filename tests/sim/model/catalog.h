// The model files of the source tree.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/model/model_catalog.h"

namespace paceline {

inline ModelCatalog source_catalog() { return ModelCatalog::load(PACELINE_SOURCE_DIR "/scenarios/models"); }

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

// Expects that runs of these numbers of tensors, taken from the last one backwards, have these bytes in fp32.
inline void expect_runs(const Model& model, const std::vector<std::pair<std::size_t, std::int64_t>>& runs) {
  std::size_t end = model.parameters.size();
  for (const auto& [tensors, bytes] : runs) {
    ASSERT_GE(end, tensors);
    std::int64_t sum = 0;
    for (std::size_t index = end - tensors; index < end; ++index) sum += 4 * model.parameters[index].elements;
    EXPECT_EQ(sum, bytes);
    end -= tensors;
  }
  EXPECT_EQ(end, 0U);
}

}  // namespace paceline
