// Checked reading of JSON: every value knows its file and JSON pointer, every field that nobody asked for is
// an error that names the nearest known one, and numbers are checked for range and integrality.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace paceline {

class JsonObject;

// A JSON value in a document, with the place it came from. Cheap to copy; keeps its document alive.
class JsonValue {
 public:
  // Throws InputError when the file cannot be read or is not JSON (with line and column).
  static JsonValue parse_file(const std::string& file);
  static JsonValue parse_text(std::string_view text, const std::string& file);

  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_null() const;

  // Each throws InputError if the value is of another kind or out of range (bounds included).
  [[nodiscard]] JsonObject object() const;
  [[nodiscard]] std::vector<JsonValue> array() const;
  [[nodiscard]] std::string string() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number(double minimum = -std::numeric_limits<double>::infinity(),
                              double maximum = std::numeric_limits<double>::infinity()) const;
  [[nodiscard]] std::int64_t integer(std::int64_t minimum = std::numeric_limits<std::int64_t>::min(),
                                     std::int64_t maximum = std::numeric_limits<std::int64_t>::max()) const;
  // A number in SI units or a string with a unit ("25MiB"); negative values are refused.
  template <class Q>
  [[nodiscard]] Q quantity() const;
  // One of the words; returns its index.
  [[nodiscard]] std::size_t choice(const std::vector<std::string>& words) const;

  [[nodiscard]] std::string where() const;  // "file: /pointer"
  [[nodiscard]] const nlohmann::json& raw() const { return *node_; }
  [[noreturn]] void fail(const std::string& expected, const std::string& remedy = "") const;

 private:
  friend class JsonObject;
  struct Document;
  JsonValue(std::shared_ptr<const Document> document, const nlohmann::json* node, std::string pointer);

  std::shared_ptr<const Document> document_;
  const nlohmann::json* node_;
  std::string pointer_;
};

// Reads the fields of one object; `finish` refuses the fields that were never asked for.
class JsonObject {
 public:
  explicit JsonObject(JsonValue value);

  [[nodiscard]] JsonValue required(const std::string& name);
  [[nodiscard]] std::optional<JsonValue> optional(const std::string& name);
  // Names of all fields present, for objects used as maps; marks them all as known.
  [[nodiscard]] std::vector<std::string> all_names();
  // Checks "format": "paceline/<kind>-<version>".
  void expect_format(const std::string& format);
  // Accepts and ignores fields that begin with an underscore or are called "comment".
  void finish() const;
  [[nodiscard]] const JsonValue& value() const { return value_; }

 private:
  JsonValue value_;
  std::set<std::string> known_;
};

// The word of `words` with the smallest edit distance to `word`, if it is near enough to be what was meant.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace paceline
