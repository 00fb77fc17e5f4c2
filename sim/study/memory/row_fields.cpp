#include "sim/study/memory/row_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace paceline {

std::optional<double> RowFields::number(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto value = object_.optional(name); value && value->is_number()) return value->number();
  return std::nullopt;
}

std::optional<std::int64_t> RowFields::count(std::initializer_list<const char*> names) {
  constexpr double largest = 1e12;  // above any count of a run
  const auto value = number(names);
  if (!value || std::abs(*value) > largest) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::string RowFields::text(const char* name) {
  const auto value = object_.optional(name);
  return value && value->is_string() ? value->string() : "";
}

std::optional<bool> RowFields::flag(const char* name) {
  const auto value = object_.optional(name);
  if (!value || !value->raw().is_boolean()) return std::nullopt;
  return value->boolean();
}

std::optional<RowFields> RowFields::child(const char* name) {
  const auto value = object_.optional(name);
  if (!value || !value->is_object()) return std::nullopt;
  return RowFields(*value);
}

}  // namespace paceline
