// Fields of a JSON object that may stand in another file that it extends: required without such a base, else
// optional, and what they would set keeps the base's value.
#pragma once

#include <optional>
#include <string>

#include "base/json_reader.h"

namespace paceline {

class InheritedFields {
 public:
  InheritedFields(const JsonValue& value, bool has_base) : object_(value), has_base_(has_base) {}

  [[nodiscard]] std::optional<JsonValue> field(const std::string& name) {
    if (has_base_) return object_.optional(name);
    return object_.required(name);
  }
  void set(double& target, const std::string& name, double least, double most) {
    if (const auto value = field(name)) target = value->number(least, most);
  }
  void set(int& target, const std::string& name, int least, int most) {
    if (const auto value = field(name)) target = static_cast<int>(value->integer(least, most));
  }
  void set(bool& target, const std::string& name) {
    if (const auto value = field(name)) target = value->boolean();
  }
  void set(std::string& target, const std::string& name) {
    if (const auto value = field(name)) target = value->string();
  }
  template <class Q>
  void set(Q& target, const std::string& name) {
    if (const auto value = field(name)) target = value->template quantity<Q>();
  }
  [[nodiscard]] JsonObject& object() { return object_; }
  [[nodiscard]] bool has_base() const { return has_base_; }
  void finish() const { object_.finish(); }

 private:
  JsonObject object_;
  bool has_base_;
};

}  // namespace paceline
