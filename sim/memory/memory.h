// Bytes that every rank holds over the step, by cause; the peak and its moment.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/plan/program.h"
#include "sim/plan/schedule.h"

namespace paceline {

struct RankMemory {
  RankId rank = 0;
  std::string name;
  std::uint32_t multiplicity = 1;
  Bytes peak;
  Seconds peak_time;       // from the start of the step
  std::string peak_phase;  // phase of the operation that reached the peak; "before the step" for held state
  std::array<Bytes, memory_cause_count> at_peak{};
};

// Device ranks in the order of the Program. Frees and allocations at the same moment: frees first.
[[nodiscard]] std::vector<RankMemory> memory_by_rank(const Program& program, const Schedule& schedule);

// Largest rank over the mean of all real ranks.
[[nodiscard]] double memory_imbalance(const std::vector<RankMemory>& ranks);

}  // namespace paceline
