// Fields that several parts of a kernel-rates file have.
#pragma once

#include <string>

#include "base/json_reader.h"
#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

template <class Q>
Q positive(JsonObject& object, const std::string& name) {
  const JsonValue value = object.required(name);
  const Q quantity = value.quantity<Q>();
  if (quantity <= Q(0)) value.fail("more than 0");
  return quantity;
}

inline ModelError error_of(const JsonValue& value) {
  JsonObject object = value.object();
  const ModelError error{object.required("median").number(0, 3), object.required("p90").number(0, 5)};
  object.finish();
  return error;
}

// A field called by a head size.
[[nodiscard]] double head_size(JsonObject& heads, const std::string& name);

[[nodiscard]] TrainingAttentionRates training_rates(const JsonValue& value);

}  // namespace paceline
