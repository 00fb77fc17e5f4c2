// Schedule: when every operation of a Program started and ended. The engine makes it; memory and timelines
// read it.
#pragma once

#include <cstdint>
#include <vector>

namespace paceline {

struct Schedule {
  std::vector<double> start;  // seconds, by operation
  std::vector<double> end;
  // By communication: when the last operation had arrived (the transfer's arrival spread and latency come
  // after). For a folded communication with several instances: that of the representative.
  std::vector<double> all_present;
  double finish = 0;         // end of the last operation
  std::uint64_t events = 0;  // handled by the engine
};

}  // namespace paceline
