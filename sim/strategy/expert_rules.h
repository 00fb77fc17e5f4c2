// Reads how a framework generation runs mixtures of experts: the "experts" object of a framework's file.
#pragma once

#include "base/json_reader.h"
#include "sim/strategy/transformer_rules.h"

namespace paceline {

// Every field is required; with `base`, rules of the generation that this one extends, only those that
// differ. Throws InputError.
[[nodiscard]] ExpertRules read_expert_rules(const JsonValue& value, const ExpertRules& base = {});

}  // namespace paceline
