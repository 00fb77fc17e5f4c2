// Numbers of devices worth offering on a cluster.
#pragma once

#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/strategy/strategy.h"

namespace paceline::gui {

// The most that a strategy can use: nn.DataParallel is one process and stays within a node.
[[nodiscard]] int most_devices(const Cluster& cluster, int devices_per_node, StrategyKind kind);

// 1, 2, 4, ... up to a full node, then whole nodes doubled, none above `most`.
[[nodiscard]] std::vector<int> device_counts(int devices_per_node, int most);

}  // namespace paceline::gui
