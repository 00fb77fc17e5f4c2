// A transformer's step over a mesh, put together as a prediction does.
#pragma once

#include <memory>
#include <string>

#include "sim/study/setting.h"

namespace paceline::test {

// Megatron's small GPT on nodes of eight A100 unless told otherwise.
[[nodiscard]] Scenario split_scenario(int devices, int micro_batches = 4);

class SplitCase {
 public:
  // `rules`: other ones than the framework's.
  explicit SplitCase(const Scenario& scenario, const TransformerRules* rules = nullptr);
  [[nodiscard]] StepRequest request() const;
  [[nodiscard]] const SplitStep& step() const { return *step_; }

 private:
  Scenario scenario_;
  Setting setting_;
  std::unique_ptr<SplitStep> step_;
};

}  // namespace paceline::test
