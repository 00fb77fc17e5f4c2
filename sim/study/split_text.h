// A split step's result in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/study/predict.h"

namespace paceline {

// Lines of "what  value"; empty when the step is not split.
[[nodiscard]] std::string split_text(const Prediction& prediction);
// Times in seconds, bytes, by group.
[[nodiscard]] nlohmann::ordered_json split_json(const SplitResult& split);

}  // namespace paceline
