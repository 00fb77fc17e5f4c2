#include "tests/sim/support/split_case.h"

#include "tests/sim/support/step.h"

namespace paceline::test {

Scenario split_scenario(int devices, int micro_batches) {
  Scenario scenario;
  scenario.model = "megatron-gpt-3.6b";
  scenario.cluster = "dgx-a100-80";
  scenario.devices = devices;
  scenario.precision = Precision::bf16;
  scenario.batch_per_device = 1;
  scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  scenario.strategy.framework = "megatron-core";
  scenario.strategy.optimizer = Optimizer::adam;
  scenario.strategy.accumulation = micro_batches;
  return scenario;
}

SplitCase::SplitCase(const Scenario& scenario, const TransformerRules* rules)
    : scenario_(scenario), setting_(setting_of(source_catalog(), scenario_, nullptr)) {
  if (rules) setting_.framework.transformer = *rules;
  step_ = split_step_of(setting_, scenario_);
}

StepRequest SplitCase::request() const {
  StepRequest request = request_of(setting_, scenario_);
  request.split = step_.get();
  return request;
}

}  // namespace paceline::test
