// The discrete-event engine: runs a Program and says when each operation started and ended. It knows streams,
// dependencies, rendezvous of communications, max-min sharing of links, and compute slowed by communication;
// it knows no strategy, no model and no device by name.
//
// Deterministic: events at the same time are taken in the order of operation ids. Throws std::logic_error
// when a Program cannot finish (a cycle, a communication that some rank never reaches): that is a fault of
// the planner.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/program.h"
#include "sim/plan/schedule.h"

namespace paceline {

[[nodiscard]] Schedule run(const Program& program);

// Progress of transfers that share resources: rates by max-min fairness (progressive filling). Exposed for
// tests.
struct FlowDemand {
  double rate_limit = 0;    // bytes per second; what it reaches when alone
  double multiplicity = 1;  // identical flows that it stands for
  struct Use {
    std::uint32_t resource = 0;
    double weight = 1;
    bool replicated = false;  // each of the identical flows has this resource for itself
  };
  std::vector<Use> uses;
};
[[nodiscard]] std::vector<double> max_min_rates(const std::vector<double>& capacities,
                                                const std::vector<FlowDemand>& flows);

}  // namespace paceline
