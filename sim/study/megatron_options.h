// Megatron's options ("tensor_model_parallel_size", "--tensor-model-parallel-size") for the fields of a
// strategy that they mean.
#pragma once

#include <optional>

#include "base/json_reader.h"
#include "sim/study/scenario_strategy.h"

namespace paceline {

// Reads the options that stand in the object beside its own fields, which have been read before. Throws
// InputError for an option and its field at once, and for values that no field stands for.
void read_megatron_options(JsonObject& object, Strategy& strategy, const StrategyLookup& lookup);

// The field of `object` that is called like the option, in either spelling; nothing if there is none.
[[nodiscard]] std::optional<JsonValue> megatron_option(JsonObject& object, const std::string& option);

}  // namespace paceline
