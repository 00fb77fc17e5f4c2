#include "sim/plan/plan.h"

namespace paceline {

Program plan(const StepRequest& request) {
  if (request.split) return plan_split(request);
  switch (request.strategy.kind) {
    case StrategyKind::single:
      return plan_single_device(request);
    case StrategyKind::data_parallel:
      return plan_data_parallel(request);
    case StrategyKind::distributed_data_parallel:
      return plan_distributed_data_parallel(request);
    case StrategyKind::horovod:
      return plan_horovod(request);
    case StrategyKind::mirrored:
      return plan_mirrored(request);
    case StrategyKind::parameter_server:
      return plan_parameter_server(request);
    case StrategyKind::zero:
    case StrategyKind::fully_sharded:
      break;  // always split
  }
  return plan_single_device(request);
}

}  // namespace paceline
