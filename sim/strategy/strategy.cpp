#include "sim/strategy/strategy.h"

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
