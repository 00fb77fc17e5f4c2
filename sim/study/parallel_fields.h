// The fields of Parallelism as they stand in the "strategy" object of a scenario.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/strategy/parallelism.h"

namespace paceline {

// Reads those that are there. Throws InputError.
void read_parallelism(JsonObject& object, Parallelism& parallelism);
// Reads one of them by its name, for options that mean the same under another name.
void read_parallel_field(const std::string& name, const JsonValue& value, Parallelism& parallelism);
// Adds those that are not as by default.
void write_parallelism(const Parallelism& parallelism, nlohmann::ordered_json& json);
// The names of those, in quotes.
[[nodiscard]] std::vector<std::string> fields_of(const Parallelism& parallelism);

}  // namespace paceline
