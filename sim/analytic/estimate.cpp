#include "sim/analytic/estimate.h"

#include <algorithm>

#include "sim/analytic/strategies.h"

namespace paceline {
namespace {

Estimate estimate_strategy(const StepRequest& request) {
  if (request.split) return estimate_split(request);
  switch (request.strategy.kind) {
    case StrategyKind::single:
      return estimate_single_device(request);
    case StrategyKind::data_parallel:
      return estimate_data_parallel(request);
    case StrategyKind::distributed_data_parallel:
      return estimate_distributed_data_parallel(request);
    case StrategyKind::horovod:
      return estimate_horovod(request);
    case StrategyKind::mirrored:
      return estimate_mirrored(request);
    case StrategyKind::parameter_server:
      return estimate_parameter_server(request);
    case StrategyKind::zero:
    case StrategyKind::fully_sharded:
      break;  // always split
  }
  return estimate_single_device(request);
}

}  // namespace

Estimate estimate(const StepRequest& request) {
  Estimate estimate = estimate_strategy(request);
  estimate.step = std::max(estimate.step, request.input);
  return estimate;
}

}  // namespace paceline
