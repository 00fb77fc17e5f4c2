// Which machine of the catalog a log of nccl-tests was made on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/hardware/hardware_catalog.h"
#include "sim/study/nccl_tests/nccl_tests_log.h"
#include "sim/study/nccl_tests/nccl_tests_profile.h"

namespace paceline {

// What the user says that the log may not.
struct MachineHints {
  std::string cluster, collective;
  std::optional<int> hosts;
};

struct Machine {
  Cluster cluster;
  std::vector<std::string> notes;  // why this one; which others would do as well
};

// The device whose name, alias or title is the driver's name for it, vendor and brand apart; empty: none.
[[nodiscard]] std::string device_named(const HardwareCatalog& catalog, const std::string& driver_name);

// The cluster that the hints name, or the only one of the catalog with the log's GPUs, GPUs a host and
// network. Of clusters that differ only in a network the table does not use, the first. Throws InputError
// naming the candidates when several fit, and what is missing when none does.
[[nodiscard]] Machine find_machine(const HardwareCatalog& catalog, const NcclTestsLog& log,
                                   const NcclTestsTable& table, const MachineHints& hints);

// Devices of the cluster's NVLink domain, where that is larger than a host.
[[nodiscard]] std::optional<int> nvlink_domain(const Cluster& cluster);

// For to_profile: the device's name in the catalog and its domain, as far as the log or the hints tell.
[[nodiscard]] NcclTestsImport import_options(const HardwareCatalog& catalog, const NcclTestsLog& log,
                                             const MachineHints& hints);

}  // namespace paceline
