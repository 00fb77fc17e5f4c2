// A cluster as a file of scenarios/clusters.
#pragma once

#include <string>

#include "sim/hardware/cluster.h"

namespace paceline {

// What read_cluster reads back into the same cluster. The PCIe generation is the device's.
[[nodiscard]] std::string cluster_json(const Cluster& cluster, const Device& device);

}  // namespace paceline
