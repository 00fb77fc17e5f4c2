// What cannot be asked of a group of devices or of a framework. All throw InputError.
#pragma once

#include "sim/hardware/cluster.h"
#include "sim/model/model.h"
#include "sim/strategy/framework.h"
#include "sim/study/scenario.h"

namespace paceline {

void check_group(const Scenario& scenario, const Cluster& cluster, int per_node);

// A framework answers for what its figures are known for.
void check_framework(const Framework& framework, const Strategy& strategy, const Model& model);

// Hooks and the all-reduces of every micro-batch belong to PyTorch's DistributedDataParallel.
void check_synchronisation(const Framework& framework, const Strategy& strategy);

}  // namespace paceline
