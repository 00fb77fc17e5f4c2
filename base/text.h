// Words in text.
#pragma once

#include <string>
#include <string_view>

namespace paceline {

// ASCII letters in lower case; all else as it is.
[[nodiscard]] std::string lower_case(std::string_view text);

[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace paceline
