#include "sim/model/recipe_fields.h"

#include <fmt/format.h>

#include "base/error.h"

namespace paceline {

std::int64_t count(JsonObject& parameters, const std::string& name, std::int64_t maximum) {
  return parameters.required(name).integer(1, maximum);
}
std::int64_t count_or(JsonObject& parameters, const std::string& name, std::int64_t otherwise,
                      std::int64_t maximum) {
  const auto value = parameters.optional(name);
  return value ? value->integer(1, maximum) : otherwise;
}
bool flag(JsonObject& parameters, const std::string& name) {
  const auto value = parameters.optional(name);
  return value && value->boolean();
}
std::vector<std::int64_t> counts(JsonObject& parameters, const std::string& name, std::size_t at_most,
                                 std::int64_t maximum) {
  const JsonValue list = parameters.required(name);
  std::vector<std::int64_t> numbers;
  for (const JsonValue& item : list.array()) numbers.push_back(item.integer(1, maximum));
  if (numbers.empty() || numbers.size() > at_most) list.fail(fmt::format("1 to {} numbers", at_most));
  return numbers;
}

void refuse(double given, const std::string& argument, const std::string& kind) {
  if (given != 0)
    throw InputError(argument, fmt::format("{}", given), fmt::format("nothing, since the model is {}", kind),
                     "leave it out");
}

std::int64_t within(std::int64_t given, std::int64_t otherwise, std::int64_t maximum,
                    const std::string& argument) {
  const std::int64_t value = given == 0 ? otherwise : given;
  if (value < 1 || value > maximum)
    throw InputError(argument, fmt::format("{}", value), fmt::format("1 to {}", maximum),
                     "choose a value that the model allows");
  return value;
}

ModelInput resolve_tokens(const ModelInput& given, std::int64_t sequence, std::int64_t positions,
                          std::int64_t vocabulary) {
  refuse(static_cast<double>(given.image), "image", "a transformer");
  ModelInput input;
  input.sequence = within(given.sequence, sequence, positions, "sequence");
  input.vocabulary = within(given.vocabulary, vocabulary, most_classes, "vocabulary");
  return input;
}

}  // namespace paceline
