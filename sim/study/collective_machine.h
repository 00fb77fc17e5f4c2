// A machine from the words of those who publish tables of collectives: "NVLink4 18x25GB/s/dir via NVSwitch3",
// "PCIe4 x16", "8x 400 Gb/s InfiniBand NDR".
#pragma once

#include <string>
#include <variant>

#include "sim/study/catalog.h"

namespace paceline {

struct MachineWords {
  std::string gpu, inside, network;
  int devices_per_host = 1, hosts = 1, ranks = 1;
};

// The cluster of NVLink domains that the ranks fill, or why it cannot be told: an unknown device, links or a
// network whose rate or transport is not stated.
[[nodiscard]] std::variant<Cluster, std::string> collective_machine(const Catalog& catalog,
                                                                    const MachineWords& words);

}  // namespace paceline
