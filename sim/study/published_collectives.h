// Published tables of collectives, as nccl-tests and its relatives print them, and the machine that each was
// measured on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/study/catalog.h"

namespace paceline {

struct CollectivePoint {
  Bytes bytes;
  Seconds time;
  bool outlier = false;  // named so by who collected the table
};

// A table of a "paceline/published-1" file of kind collectives, or an entry of a "truth-collectives/1" file.
struct PublishedCollective {
  std::string id, machine_class, note;
  bool healthy = true;
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveGroup group;
  CollectiveSettings settings;
  std::optional<Cluster> cluster;  // absent: cannot be asked, see why_not
  std::string why_not;
  std::vector<CollectivePoint> points;
};

// Throws InputError when the file is of neither format. A table whose machine is not stated or not known is
// kept, with the reason.
[[nodiscard]] std::vector<PublishedCollective> read_published_collectives(const Catalog& catalog,
                                                                          const std::string& file);
}  // namespace paceline
