// Words of publications for what the catalog calls otherwise. Nothing is returned for a word that is not
// known.
#pragma once

#include <optional>
#include <string>

#include "sim/hardware/device.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// "bf16", "fp16-mixed", "fp8-rowwise": the format of activations and, of matrix products in 8 bit, the
// scales.
struct NumberWords {
  Precision precision = Precision::fp32;
  Fp8Recipe fp8 = Fp8Recipe::none;
};
[[nodiscard]] std::optional<NumberWords> numbers_of(const std::string& words);

// `family`: of the model, as the publication calls it ("cnn", "bert"); it decides where nothing is said.
[[nodiscard]] std::optional<Optimizer> optimizer_of(const std::string& words, const std::string& family);

// `zero`: the stage of sharding that the publication states, 0 if none.
[[nodiscard]] std::optional<StrategyKind> kind_of(const std::string& words, int zero);

// What is computed again in backward. `modules` lists parts of a layer, as Parallelism::recompute_modules.
struct RecomputeWords {
  Recompute recompute = Recompute::none;
  std::vector<std::string> modules;
};
[[nodiscard]] std::optional<RecomputeWords> recompute_of(const std::string& words,
                                                         const std::string& framework);

[[nodiscard]] std::optional<PipelineSchedule> schedule_of(const std::string& words);
[[nodiscard]] std::optional<Dispatcher> dispatcher_of(const std::string& words);
[[nodiscard]] std::optional<ContextExchange> context_exchange_of(const std::string& words);

}  // namespace paceline
