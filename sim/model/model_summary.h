// A Model as tables for people: its totals, and layer by layer.
#pragma once

#include "base/table.h"
#include "sim/model/activation_memory.h"
#include "sim/model/model.h"

namespace paceline {

[[nodiscard]] Table totals_table(const Model& model);
// One row a layer in forward order: kind, shape, multiply-adds or elements moved, parameters, bytes kept.
[[nodiscard]] Table layer_table(const Model& model);

}  // namespace paceline
