// Words, numbers and insides of strings in JSON that may be broken.
#pragma once

#include <string>
#include <string_view>

namespace paceline {

[[nodiscard]] bool is_json_space(char c);

// The grammar of RFC 8259: no leading zero or plus, digits on both sides of a point.
[[nodiscard]] bool is_json_number(std::string_view token);
// Begins like a number, or like a number with a point before its first digit.
[[nodiscard]] bool looks_like_number(std::string_view token);

struct StringInspection {
  std::string text;      // the same string as JSON can hold it
  bool control = false;  // there were control characters
  bool quote = false;    // quotes without a backslash
  bool escape = false;   // escapes that JSON does not know, and halves of surrogate pairs
  bool bytes = false;    // bytes that are not UTF-8
};
// `inside` is what stood between the quotes.
[[nodiscard]] StringInspection clean_string(std::string_view inside);

}  // namespace paceline
