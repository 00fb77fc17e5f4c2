// Fields of a published row, under any of the names that publications give them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/json_reader.h"

namespace paceline {

// A field of another kind than asked for counts as absent: publications state what they please.
class RowFields {
 public:
  explicit RowFields(const JsonValue& value) : object_(value.object()) {}

  [[nodiscard]] std::optional<double> number(std::initializer_list<const char*> names);
  // Cut to a whole number.
  [[nodiscard]] std::optional<std::int64_t> count(std::initializer_list<const char*> names);
  [[nodiscard]] std::string text(const char* name);  // "" if absent
  [[nodiscard]] std::optional<bool> flag(const char* name);
  [[nodiscard]] std::optional<RowFields> child(const char* name);

 private:
  JsonObject object_;
};

}  // namespace paceline
