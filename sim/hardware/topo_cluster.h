// A cluster from the matrix of one of its machines.
#pragma once

#include <optional>
#include <string>

#include "sim/hardware/cluster.h"
#include "sim/hardware/topo_matrix.h"

namespace paceline {

// What the matrix does not tell.
struct TopoQuestion {
  std::string file;           // for errors and the cluster's source
  std::string name = "topo";  // of the cluster
  std::string fabric;         // of the network; "" for a single node
  BytesPerSecond nic_rate;    // of one port, one direction
};

// The kind of the interconnect from the NVLink counts: every pair with all links of the device is an
// NVSwitch, pairs are bridges, an equal part of the links or a connected matrix is a mesh, no NVLink is PCIe.
// Root complexes, NUMA domains and PCIe switches from the other words. Throws InputError if the device cannot
// have these links, or the devices below root complexes, switches or bridges are not in equal groups in
// order.
[[nodiscard]] Cluster cluster_from_matrix(const TopoMatrix& matrix, const Device& device,
                                          const TopoQuestion& question);

}  // namespace paceline
