#include "sim/study/published_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace paceline {

std::string text_of(JsonObject& object, const std::string& name) {
  const auto value = object.optional(name);
  return value && value->is_string() ? value->string() : "";
}

std::optional<double> number_of(JsonObject& object, const std::string& name) {
  const auto value = object.optional(name);
  if (!value || !value->is_number()) return std::nullopt;
  return value->number();
}

std::optional<bool> flag_of(JsonObject& object, const std::string& name) {
  const auto value = object.optional(name);
  if (!value || !value->raw().is_boolean()) return std::nullopt;
  return value->boolean();
}

bool has_flag(const JsonValue& row, const std::string& words) {
  JsonObject object = row.object();
  const auto flags = object.optional("flags");
  if (!flags || !flags->is_array()) return false;
  const auto list = flags->array();
  return std::any_of(list.begin(), list.end(),
                     [&](const JsonValue& flag) { return flag.is_string() && flag.string() == words; });
}

int count_of(JsonObject& object, const std::string& name, int fallback) {
  const auto value = object.optional(name);
  return value && value->is_number() ? static_cast<int>(value->integer(1, 1 << 20)) : fallback;
}

}  // namespace paceline
