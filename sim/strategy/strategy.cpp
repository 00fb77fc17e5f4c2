#include "sim/strategy/strategy.h"

#include <algorithm>

namespace paceline {

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{"single",           "dp",   "ddp", "horovod", "mirrored",
                                              "parameter_server", "zero", "fsdp"};
  return names;
}

const std::vector<std::string>& placement_names() {
  static const std::vector<std::string> names{"round_robin", "by_size", "partitioned"};
  return names;
}

const std::vector<std::string>& hook_names() {
  static const std::vector<std::string> names{"none", "fp16", "bf16", "power_sgd"};
  return names;
}

int zero_stage_of(const Strategy& strategy) {
  if (strategy.kind == StrategyKind::fully_sharded) return 3;
  return strategy.kind == StrategyKind::zero ? std::max(1, strategy.parallel.zero_stage)
                                             : strategy.parallel.zero_stage;
}

std::string title_of(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::single:
      return "one GPU";
    case StrategyKind::data_parallel:
      return "DataParallel";
    case StrategyKind::distributed_data_parallel:
      return "DDP";
    case StrategyKind::horovod:
      return "Horovod";
    case StrategyKind::mirrored:
      return "mirrored";
    case StrategyKind::zero:
      return "ZeRO";
    case StrategyKind::fully_sharded:
      return "FSDP";
    case StrategyKind::parameter_server:
      return "parameter server";
  }
  return "";
}

}  // namespace paceline
