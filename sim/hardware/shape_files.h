// The parts of a cluster's file that describe shapes: links of a node, a torus, the switches of a network.
// Each throws InputError for a shape that does not fit the cluster or that would change nothing.
#pragma once

#include "base/json_reader.h"
#include "sim/hardware/fabric_shape.h"
#include "sim/hardware/link_matrix.h"
#include "sim/hardware/torus.h"

namespace paceline {

// Rows of numbers of links, `devices` of each; every device must be reached from every other over links.
[[nodiscard]] LinkMatrix read_link_matrix(const JsonValue& value, int devices);

// [{"size": 16, "wrap": true, "rate": "45GB/s"}, ...]; the sizes multiply to `devices`, the rate is that of
// the interconnect if absent.
[[nodiscard]] Torus read_torus(const JsonValue& value, int devices, BytesPerSecond rate);

// {"kind": "leaf-spine", "hosts_per_leaf": 16, "oversubscription": 2} and its like.
[[nodiscard]] FabricShape read_fabric_shape(const JsonValue& value, int nics, BytesPerSecond rate,
                                            int max_nodes);

}  // namespace paceline
