// Fields of a Hugging Face config.json. Families name the same size differently, so a size has several names;
// null counts as absent. Fields that nobody asks for are accepted: such files hold much that is not a shape.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/json_reader.h"

namespace paceline {

class HuggingFaceConfig {
 public:
  using Names = std::initializer_list<const char*>;

  // Throws InputError if it is no object.
  explicit HuggingFaceConfig(const JsonValue& value) : object_(value.object()) {}

  // The first of the names that is present. Each throws InputError if the value is of another kind, not
  // positive, or beyond any net; the first three also if none is there. `length`: of a vocabulary or
  // sequence.
  [[nodiscard]] std::int64_t size(Names names);
  [[nodiscard]] std::int64_t layers(Names names);
  [[nodiscard]] std::int64_t length(Names names);
  [[nodiscard]] std::int64_t size_or(Names names, std::int64_t otherwise);
  [[nodiscard]] std::int64_t count_or(const char* name, std::int64_t otherwise);  // 0 is allowed
  [[nodiscard]] bool flag(const char* name, bool otherwise);
  [[nodiscard]] std::string text(const char* name, const std::string& otherwise);
  [[nodiscard]] std::optional<JsonValue> find(Names names);

  // Refuses the field's value, or the lack of it.
  [[noreturn]] void refuse(const char* name, const std::string& expected, const std::string& remedy);
  // Refuses the file unless `part` divides `whole`.
  void must_divide(Names part_names, std::int64_t part, std::int64_t whole, const std::string& whole_name);

 private:
  std::int64_t required(Names names, std::int64_t maximum);
  JsonObject object_;
};

}  // namespace paceline
