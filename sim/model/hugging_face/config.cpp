#include "sim/model/hugging_face/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

std::string place_of(const JsonObject& object, const char* field) {
  const std::string where = object.value().where();
  return fmt::format("{}{}{}", where, where.ends_with('/') ? "" : "/", field);
}

}  // namespace

std::optional<JsonValue> HuggingFaceConfig::find(Names names) {
  for (const char* name : names)
    if (auto value = object_.optional(name); value && !value->is_null()) return value;
  return std::nullopt;
}

std::int64_t HuggingFaceConfig::size(Names names) { return required(names, most_width); }
std::int64_t HuggingFaceConfig::layers(Names names) { return required(names, most_layers); }
std::int64_t HuggingFaceConfig::length(Names names) { return required(names, most_classes); }

std::int64_t HuggingFaceConfig::required(Names names, std::int64_t maximum) {
  if (const auto value = find(names)) return value->integer(1, maximum);
  throw InputError(place_of(object_, *names.begin()), "nothing",
                   fmt::format("the field {}", fmt::join(names, " or ")),
                   "add it as the model's own config.json has it");
}

std::int64_t HuggingFaceConfig::size_or(Names names, std::int64_t otherwise) {
  const auto value = find(names);
  return value ? value->integer(1, most_width) : otherwise;
}

std::int64_t HuggingFaceConfig::count_or(const char* name, std::int64_t otherwise) {
  const auto value = find({name});
  return value ? value->integer(0, most_width) : otherwise;
}

bool HuggingFaceConfig::flag(const char* name, bool otherwise) {
  const auto value = find({name});
  return value ? value->boolean() : otherwise;
}

std::string HuggingFaceConfig::text(const char* name, const std::string& otherwise) {
  const auto value = find({name});
  return value ? value->string() : otherwise;
}

void HuggingFaceConfig::refuse(const char* name, const std::string& expected, const std::string& remedy) {
  if (const auto value = object_.optional(name)) value->fail(expected, remedy);
  throw InputError(place_of(object_, name), "nothing", expected, remedy);
}

void HuggingFaceConfig::must_divide(Names part_names, std::int64_t part, std::int64_t whole,
                                    const std::string& whole_name) {
  if (whole % part == 0) return;
  const char* name = *part_names.begin();
  for (const char* candidate : part_names)
    if (find({candidate})) name = candidate;
  refuse(name, fmt::format("a divisor of {}, {}", whole_name, whole), "correct one of the two");
}

}  // namespace paceline
