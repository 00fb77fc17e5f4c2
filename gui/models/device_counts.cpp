#include "gui/models/device_counts.h"

#include <algorithm>

namespace paceline::gui {

int most_devices(const Cluster& cluster, int devices_per_node, StrategyKind kind) {
  switch (kind) {
    case StrategyKind::single:
      return 1;
    case StrategyKind::data_parallel:
      return devices_per_node;
    case StrategyKind::distributed_data_parallel:
    case StrategyKind::horovod:
    case StrategyKind::mirrored:
    case StrategyKind::parameter_server:
    case StrategyKind::zero:
    case StrategyKind::fully_sharded:
      break;
  }
  return devices_per_node * (cluster.network ? cluster.max_nodes : 1);
}

std::vector<int> device_counts(int devices_per_node, int most) {
  std::vector<int> counts;
  for (int count = 1; count < devices_per_node && count <= most; count *= 2) counts.push_back(count);
  for (int count = devices_per_node; count <= most; count *= 2) {
    counts.push_back(count);
    if (count > most / 2) break;  // doubling must not overflow
  }
  return counts;
}

}  // namespace paceline::gui
