// Strict parsing of JSON text: what the checked reader stands on.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace paceline {

// Brackets inside brackets; deeper text is refused rather than trusted to fit the stack.
constexpr std::size_t most_json_levels = 100;

// Throws InputError with line and column of a syntax error, and with the JSON pointer of a name given twice
// in one object, of a number that no double can hold, and of brackets nested too deep.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& file);

// A name as a part of a JSON pointer: ~ is written ~0, / is written ~1.
[[nodiscard]] std::string pointer_token(std::string_view name);

}  // namespace paceline
