// Loads on the links of a dragonfly with minimal routes: to a router of the own group directly, to another
// group over the global links between the two groups in equal parts, each through the routers that it ends
// at.
#pragma once

#include <vector>

#include "sim/hardware/fabric_flows.h"
#include "sim/hardware/fabric_shape.h"

namespace paceline {

// Global links between two groups; those that do not divide evenly are left out.
[[nodiscard]] int links_between_groups(const Dragonfly& shape);
// The router, counted inside `group`, at which link `index` of that group to group `other` ends: a group's
// links stand in the order of the other groups, `global_links` to a router.
[[nodiscard]] int gateway(const Dragonfly& shape, int group, int other, int index);

// Shares as in fabric.h; `link` is a link between routers over the sum of a node's NICs.
[[nodiscard]] double dragonfly_share(const Dragonfly& shape, const std::vector<Flow>& flows, double link);
// Every node sends 1 to all others in equal parts; counted by router, not by pair of nodes.
[[nodiscard]] double dragonfly_all_to_all_share(const Dragonfly& shape, const std::vector<int>& nodes,
                                                double link);

}  // namespace paceline
