// What belongs to the library rather than to a link: shares that its protocols leave for data, how far trees
// and the switch's reduction get, what launching costs, and how wide its predictions have missed. Read from
// scenarios/collectives/*.json ("paceline/collectives-1"), each group of figures with its source.
#pragma once

#include <array>
#include <string>

#include "base/json_reader.h"
#include "base/quantity.h"

namespace paceline {

// Of measured over predicted times: nine of ten lie between low and high.
struct Spread {
  double low = 0.5, high = 2;
};

struct CollectiveConstants {
  std::string name;
  double ll_link_share = 0.5, ll_network_share = 0.32;  // a flag with every four bytes
  double ll128_network_share = 0.85;
  double tree_link_gain = 1;      // of a ring's rate inside a node
  double tree_network_share = 1;  // inner nodes of a tree over three nodes and more
  double nvls_tree_link_share = 1, nvls_tree_network_share = 1;
  Bytes fill_limit;             // after which a pipeline is full
  Bytes ll_first_piece;         // a channel takes this much a step before the next one opens
  Bytes point_to_point_ll;      // LL below this size for each peer
  Bytes nvls_full_chunks;       // from which the switch's reduction works on whole chunks
  Bytes ramp_unit, ramp_limit;  // LL and LL128 between nodes: a fabric's ramp is that of the unit
  int node_channels = 1;        // of a ring between nodes, at most
  double all_to_all_network_share = 1;
  double byte_arithmetic = 1;  // factor on the ring's work when 8-bit values are added
  double slot_share = 1;       // of a PCIe slot that NICs get out of a device
  Seconds one_process_launch;  // for every device that one process drives
  Seconds framework_launch;
  // Classes of machines, each for messages of three sizes: below 64 KiB; up to 16 MiB (several nodes: 64
  // MiB); above.
  enum Class { switched, single_node, rdma_nodes, other_nodes, class_count };
  std::array<std::array<Spread, 3>, class_count> spread;
};

[[nodiscard]] CollectiveConstants read_collective_constants(const JsonValue& value);
}  // namespace paceline
