#include "traces/json_check.h"

#include <simdjson.h>

namespace paceline {

bool is_json(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

std::optional<std::string> json_member(std::string_view object, std::string_view key) {
  simdjson::dom::parser parser;
  simdjson::dom::element value;
  // The document lives in the parser; the text need not outlive the call.
  if (parser.parse(simdjson::padded_string(object)).at_key(key).get(value) != simdjson::SUCCESS)
    return std::nullopt;
  return simdjson::minify(value);
}

}  // namespace paceline
