// When a measured table counts as slow: figures of scenarios/diagnosis.json, with their source there.
#pragma once

#include <string>

#include "base/quantity.h"

namespace paceline {

struct DiagnosisRules {
  Bytes decisive_from, latency_below;
  double warn_switched = 1, warn_rdma = 1, warn_other = 1,
         warn_other_fabrics = 1;  // median ratio of measured to expected time
  double slow = 1, second_largest = 1;
  double columns_differ = 1;                 // rows whose two columns differ by more do not decide
  double widest_interval = 1;                // a prediction this uncertain judges nothing
  double bound_share = 1;                    // of the physically least time
  double congestion_fall = 1;                // of algbw below its running maximum
  BytesPerSecond sockets_low, sockets_high;  // what plain sockets move, a node
  double no_gpudirect_share = 1;             // of the wire
};

// `folder` is that of the catalog. Throws InputError when the file is missing or wrong.
[[nodiscard]] DiagnosisRules read_diagnosis_rules(const std::string& folder);

}  // namespace paceline
