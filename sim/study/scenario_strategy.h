// The "strategy" of a scenario: the name of a kind or of a preset, or an object with switches.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/json_reader.h"
#include "sim/strategy/strategy.h"
#include "sim/study/presets.h"

namespace paceline {

// What a strategy's words refer to.
struct StrategyLookup {
  const PresetCatalog* presets = nullptr;
  std::function<std::int64_t()> layers;  // of the model's transformer; none: not known here
};

// A preset fills in its fields, the framework among them, over `base`; the object's own fields go before
// both. Megatron's options are read as the fields that they mean. Throws InputError.
[[nodiscard]] Strategy read_strategy(const JsonValue& value, const Strategy& base,
                                     const StrategyLookup& lookup);
[[nodiscard]] nlohmann::ordered_json strategy_json(const Strategy& strategy);

// The same work on one device: neither split nor sharded.
[[nodiscard]] Strategy unsplit(Strategy strategy);

}  // namespace paceline
