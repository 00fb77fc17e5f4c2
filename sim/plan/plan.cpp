#include "sim/plan/plan.h"

namespace paceline {
namespace {

Program plan_strategy(const StepRequest& request) {
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

// Loaders fetch the samples of the next step beside this one: a step is no shorter than that.
void add_input(Program& program, Seconds time) {
  Operation operation;
  operation.family = Family::host;
  operation.seconds = time.value();
  operation.name = program.strings.intern("load the next batch");
  operation.phase = program.phase("input");
  for (RankId rank = 0; rank < program.ranks.size(); ++rank) {
    if (!program.ranks[rank].is_device) continue;
    operation.stream = program.add_stream({rank, StreamKind::host, "data loader"});
    program.add_operation(operation);
  }
}

}  // namespace

Program plan(const StepRequest& request) {
  Program program = plan_strategy(request);
  if (request.input > Seconds(0)) add_input(program, request.input);
  return program;
}

}  // namespace paceline
