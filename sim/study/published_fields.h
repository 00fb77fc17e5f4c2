// Fields of published measurements, which others filled in: one that is missing or of another kind says
// nothing.
#pragma once

#include <optional>
#include <string>

#include "base/json_reader.h"

namespace paceline {

[[nodiscard]] std::string text_of(JsonObject& object, const std::string& name);  // "" when there is none
[[nodiscard]] std::optional<double> number_of(JsonObject& object, const std::string& name);
[[nodiscard]] std::optional<bool> flag_of(JsonObject& object, const std::string& name);
// Whether the row's list of remarks, "flags", has these words.
[[nodiscard]] bool has_flag(const JsonValue& row, const std::string& words);
// A number of devices, nodes or ranks. Throws InputError for one below 1 or above 2^20.
[[nodiscard]] int count_of(JsonObject& object, const std::string& name, int fallback);

}  // namespace paceline
