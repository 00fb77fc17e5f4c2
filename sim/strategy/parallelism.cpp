#include "sim/strategy/parallelism.h"

namespace paceline {

const std::vector<std::string>& pipeline_schedule_names() {
  static const std::vector<std::string> names{"gpipe", "1f1b", "interleaved", "zb-h1", "zb-v", "dualpipe"};
  return names;
}

const std::vector<std::string>& recompute_names() {
  static const std::vector<std::string> names{"none", "selective", "operators", "half", "full"};
  return names;
}

const std::vector<std::string>& context_exchange_names() {
  static const std::vector<std::string> names{"ring", "all-gather", "all-to-all"};
  return names;
}

const std::vector<std::string>& dispatcher_names() {
  static const std::vector<std::string> names{"alltoall", "deepep", "hybridep"};
  return names;
}

const std::vector<std::string>& graph_scope_names() {
  static const std::vector<std::string> names{"none", "router", "attention", "full"};
  return names;
}

const std::vector<std::string>& fp8_recipe_names() {
  static const std::vector<std::string> names{"none", "tensor", "mxfp8", "rowwise"};
  return names;
}

const std::vector<std::string>& offload_names() {
  static const std::vector<std::string> names{"none", "cpu", "nvme"};
  return names;
}

const std::vector<std::string>& rank_order_names() {
  static const std::vector<std::string> names{"tp-cp-dp-pp", "tp-cp-pp-dp"};
  return names;
}

}  // namespace paceline
