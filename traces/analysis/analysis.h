// What a Timeline says about speed: busy and idle devices, communication that nothing hides, steps, the
// costliest names. The same code for measured and predicted Timelines, exact in integer nanoseconds; what
// does not exist is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/timeline.h"

namespace paceline {

// Times of kernels that move data between devices. "union" is the time in which at least one was running.
struct CommunicationTime {
  std::uint64_t count = 0;
  Nanoseconds total = 0;  // sum of durations
  Nanoseconds union_length = 0;
  Nanoseconds overlapped = 0;   // of the union, while computation was running too
  Nanoseconds exposed = 0;      // of the union, the rest
  double overlapped_share = 0;  // overlapped / union_length; 0 if that is 0
};

// Device work: kernels, copies and sets, and nothing else.
struct DeviceTime {
  std::uint64_t kernels = 0;  // communication included
  std::uint64_t copies_and_sets = 0;
  std::uint64_t streams = 0;
  Nanoseconds compute_total = 0;  // sums and unions of kernels other than communication
  Nanoseconds compute_union = 0;
  Nanoseconds busy = 0;  // union of all work
  Nanoseconds first_start = 0;
  Nanoseconds span = 0;                            // from the first start to the last end
  double busy_share = 0;                           // busy / span; 0 if the span is 0
  std::optional<CommunicationTime> communication;  // absent if there is none
};

struct StepTime {
  std::string name;  // "ProfilerStep#4"
  Nanoseconds start = 0;
  Nanoseconds duration = 0;
};

struct NameTime {
  Family family = Family::other;
  std::string name;
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  double mean = 0;   // nanoseconds
  double share = 0;  // of the total of its family
};

struct RankAnalysis {
  std::int32_t rank = -1;
  std::optional<DeviceTime> device;  // absent if the rank has no device work
  std::vector<StepTime> steps;       // in order of start
  std::optional<double> mean_step;   // nanoseconds, over all steps; absent if there are none
  std::vector<NameTime> names;       // by falling total
};

struct Analysis {
  std::vector<RankAnalysis> ranks;  // in order; -1, where the trace does not say, comes first

  // Null if there is no such rank.
  [[nodiscard]] const RankAnalysis* find(std::int32_t rank) const;
};

// Of all ranks that have a track, or of one. Sums that do not fit into 63 bits stay at the largest value.
[[nodiscard]] Analysis analyze(const Timeline& timeline, std::optional<std::int32_t> rank = std::nullopt);

}  // namespace paceline
