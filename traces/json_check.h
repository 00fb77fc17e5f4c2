// Whether a text may be put into a JSON file as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paceline {

// One complete JSON value, nothing before or after it but white space.
[[nodiscard]] bool is_json(std::string_view text);

// The text of the member `key` of a JSON object, minified; nothing if there is none or the text is no object.
[[nodiscard]] std::optional<std::string> json_member(std::string_view object, std::string_view key);

}  // namespace paceline
