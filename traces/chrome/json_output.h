// Pieces of JSON text, appended to a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/timeline.h"

namespace paceline {

// With quotes; bytes that are not UTF-8 become U+FFFD, control characters are escaped.
void append_json_string(std::string& out, std::string_view text);

// Characters of a string's inside, without the quotes.
void append_json_characters(std::string& out, std::string_view text);

void append_integer(std::string& out, std::int64_t value);
void append_unsigned(std::string& out, std::uint64_t value);

// The shortest text that reads back as the same double and not as an integer; a string for NaN and infinity,
// which JSON cannot express.
void append_double(std::string& out, double value);

// Microseconds with exactly three decimals: 1234567 is "1234.567".
void append_microseconds(std::string& out, Nanoseconds time);

}  // namespace paceline
