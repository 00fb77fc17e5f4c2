// From the words of a publication to the shapes and options of a Megatron-style run.
#pragma once

#include <string>

#include "base/json_reader.h"
#include "sim/memory/megatron/run.h"

namespace paceline {

// What a file says of all its rows.
struct MegatronDefaults {
  bool attention_fused = false;  // the back end where a row names none
  bool attention_stated = false;
  std::optional<double> capacity_factor;
  bool grouped_products = false;
};

struct MegatronWords {
  megatron::TrainingRun run;  // without libraries
  bool transformer_engine = true, deterministic = false;
  bool attention_unknown = false;  // the choice of attention kernel was left to the library
  std::string why_not, why_no_peak;
};

// `model` and `strategy` of a row. What Megatron-LM's recipes leave out has the default of its
// training/arguments.py: layer norm, biases, dropout 0.1, learned positions, GELU of four times the width,
// own kernels fused into gradient accumulation.
[[nodiscard]] MegatronWords megatron_words(const JsonValue& model, const JsonValue& strategy,
                                           const MegatronDefaults& defaults);

}  // namespace paceline
