// Measured tables as a Profile, which predictions use in place of the laws.
#pragma once

#include <optional>
#include <string>

#include "base/profile.h"
#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline {

struct NcclTestsImport {
  std::string collective;  // of tables that do not say theirs; empty: none
  std::string device;      // name of the catalog; empty: as the log names it
  // Devices of an NVLink domain, where that is larger than a host: a domain counts as a node.
  std::optional<int> domain;
  std::optional<int> hosts;  // of logs that do not list them
};

// Every row is kept. Rows that are outliers, or whose two columns differ by more than 10 %, are marked noisy;
// notes name breaks between regimes, outliers, contradictions and repairs. Of several tables of the same
// collective and group the first is taken. Throws InputError when no table says enough (collective, ranks,
// nodes).
[[nodiscard]] Profile to_profile(const NcclTestsLog& log, const NcclTestsImport& options);

// Nodes of the table's group; 0: not known.
[[nodiscard]] int node_count(const NcclTestsTable& table, const std::optional<int>& domain,
                             const std::optional<int>& hosts);

}  // namespace paceline
