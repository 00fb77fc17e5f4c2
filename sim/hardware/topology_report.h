// A cluster's topology for people and for programs: what lies between devices and NICs, the links, the rings
// of a node, and what the network lets through.
#pragma once

#include <string>

#include "base/table.h"
#include "sim/hardware/graph.h"

namespace paceline {

struct TopologyReport {
  std::string title;       // "dgx-1v: NVIDIA DGX-1 ..., 2 nodes"
  std::string network;     // how its switches are joined; "" for a single node
  Table paths;             // class of the path between every two devices and NICs of the first node
  std::string paths_note;  // "the first 16 of 72 devices"; "" if all are there
  Table links;             // how many of each kind, and their rates
  Table rings;             // by number of devices: the rate at which one sends along the rings of a node
  Table shares;            // by traffic; empty for one node
  std::string json;        // all of it, paceline/topology-1
};

// Throws InputError for more nodes than the cluster has.
[[nodiscard]] TopologyReport topology_report(const Cluster& cluster, const Device& device, int nodes);

}  // namespace paceline
