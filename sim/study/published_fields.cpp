#include "sim/study/published_fields.h"

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

int count_of(JsonObject& object, const std::string& name, int fallback) {
  const auto value = object.optional(name);
  return value && value->is_number() ? static_cast<int>(value->integer(1, 1 << 20)) : fallback;
}

}  // namespace paceline
