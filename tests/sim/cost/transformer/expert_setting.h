// One layer of a published configuration, owning all that a LayerContext refers to.
#pragma once

#include <string>

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"
#include "sim/strategy/parallelism.h"

namespace paceline::test {

struct ExpertCase {
  std::string model = "qwen3-235b-a22b", cluster = "dgx-b200";
  std::string rates = "b200";  // device whose kernels were measured
  double clock = 0.74;         // sustained over burst
  int domain = 8;              // ranks of an NVLink domain
  double samples = 1;          // of a micro-batch
  std::string framework = "megatron-bridge-26.04";
  Parallelism parallel{};
};

// Qwen3-235B: h 4096, F 1536, 128 experts of which a token chooses 8; 4096 tokens; 16 experts on each of
// eight B200.
[[nodiscard]] ExpertCase eight_ranks();

// Of the steps whose names begin so; exchanges whole.
[[nodiscard]] Seconds time_of(const Pass& pass, const std::string& start = "");

class ExpertSetting {
 public:
  explicit ExpertSetting(const ExpertCase& configuration);
  ExpertSetting(const ExpertSetting&) = delete;
  ExpertSetting& operator=(const ExpertSetting&) = delete;

  // The model's first block with experts, and a context to time it in.
  [[nodiscard]] const Block& block() const;
  [[nodiscard]] LayerContext context() const;

  // May be changed before `context` is called.
  ExpertCase what;
  Model model;
  TransformerRules rules;
};

}  // namespace paceline::test
