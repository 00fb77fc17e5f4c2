// What the readers of a row's model and strategy share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "sim/study/memory/megatron_words.h"
#include "sim/study/memory/row_fields.h"

namespace paceline {

// Fields of one row, and the words that they become. The first reason why it cannot be asked stays.
class MegatronReader {
 public:
  MegatronReader(const JsonValue& model, const JsonValue& strategy, const MegatronDefaults& defaults,
                 MegatronWords& words)
      : model_(model),
        strategy_(strategy),
        extra_(strategy_.child("extra")),
        defaults_(defaults),
        words_(words) {}

 protected:
  void missing(const std::string& what) {
    if (words_.why_not.empty()) words_.why_not = what + " is not stated";
  }
  void unknown(const std::string& what, const std::string& word) {
    if (words_.why_not.empty()) words_.why_not = fmt::format("{} \"{}\" is not modelled", what, word);
  }
  std::int64_t stated(RowFields& fields, std::initializer_list<const char*> names, const char* what) {
    const auto value = fields.count(names);
    if (!value || *value < 1) missing(what);
    return std::max<std::int64_t>(1, value.value_or(1));
  }
  std::optional<std::int64_t> option(const char* name) {
    return extra_ ? extra_->count({name}) : std::nullopt;
  }
  bool has(const char* name) { return extra_ && extra_->flag(name).value_or(false); }

  RowFields model_, strategy_;
  std::optional<RowFields> extra_;  // options of the framework, under its own names
  const MegatronDefaults& defaults_;
  MegatronWords& words_;
};

// Shapes of the model: fills `words.run.model` and what experts need.
void read_megatron_model(const JsonValue& model, const JsonValue& strategy, const MegatronDefaults& defaults,
                         MegatronWords& words);

}  // namespace paceline
