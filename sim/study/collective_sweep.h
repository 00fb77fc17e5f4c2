// A sweep over message sizes, as nccl-tests does it, predicted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/profile.h"
#include "sim/cost/collective_cost.h"
#include "sim/study/catalog.h"

namespace paceline {

// -b, -e, -i, -f of nccl-tests: from `first` to `last` by a factor, or by steps where there is none.
struct SizeRange {
  Bytes first = mebibytes(32), last = mebibytes(32), step = mebibytes(1);
  std::optional<double> factor;
};

struct CollectiveSweep {
  std::string cluster;
  CollectiveKind kind = CollectiveKind::all_reduce;
  int nodes = 1;
  std::optional<int> devices;  // of a node; absent: all
  SizeRange sizes;
  CollectiveSettings settings;
  std::string redop = "sum";
  int root = 0;
  int aggregated = 1;  // -m: operations of one group call, which the library takes as one of their total size
};

struct SweepRow {
  Bytes size;
  std::int64_t count = 0;  // elements, as nccl-tests prints them
  CollectiveTime time;
  double algbw = 0, busbw = 0;           // GB/s
  double busbw_low = 0, busbw_high = 0;  // nine of ten measurements lie between them
};

struct SweepResult {
  CollectiveSweep request;
  Cluster cluster;
  CollectiveGroup group;
  std::vector<SweepRow> rows;
};

// "8", "512K", "8M", "1G": powers of 1024, as nccl-tests reads them; "64KiB" and "1GB" as everywhere else.
// Throws InputError naming the option.
[[nodiscard]] Bytes parse_test_size(const std::string& text, const std::string& option);

// Throws InputError for an empty range, more devices than a node has, more nodes than the cluster.
[[nodiscard]] SweepResult sweep_collective(const Catalog& catalog, const CollectiveSweep& request,
                                           const Profile* profile);

// nccl-tests' columns, then algorithm, protocol, channels, the interval of the bus bandwidth and what binds.
[[nodiscard]] std::string sweep_text(const SweepResult& result);
[[nodiscard]] std::string sweep_json(const SweepResult& result);  // "paceline/collective-sweep-1"

}  // namespace paceline
