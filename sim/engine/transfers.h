// The communications on their way: gathering their operations, waiting out spread and latency, moving their
// bytes.
#pragma once

#include <vector>

#include "sim/engine/fair_sharing.h"
#include "sim/engine/graph.h"
#include "sim/engine/timer_queue.h"

namespace paceline {

class Transfers {
 public:
  // Communication c has the timer c. Throws std::logic_error when the instances of a communication cannot be
  // spread evenly over the replicas of an owner of its resources.
  Transfers(const Program& program, const Graph& graph, TimerQueue& timers);

  // One more operation was reached, at `time`. True when it was the last.
  bool arrive(CommunicationId id, double time);
  // When the last operation had arrived.
  [[nodiscard]] const std::vector<double>& all_present() const { return all_present_; }

  // Nothing that others do changes when it ends: that is known as soon as all are present.
  [[nodiscard]] bool is_independent(CommunicationId id) const { return transfers_[id].is_independent; }
  [[nodiscard]] double independent_end(CommunicationId id) const;

  // For the others: all are present.
  void begin(CommunicationId id);
  enum class Event { spread_over, transfer_started, ended };
  Event fire(CommunicationId id, double now);
  void settle(double now);

 private:
  enum class Phase : std::uint8_t { gathering, spread, latency, transfer, done };
  struct Transfer {
    double remaining = 0;  // bytes, at `since`
    double rate = 0;
    double since = 0;
    std::uint32_t missing = 0;  // operations that have not arrived
    Phase phase = Phase::gathering;
    bool is_independent = false;
  };
  [[nodiscard]] double transfer_start(CommunicationId id) const;
  [[nodiscard]] double wire_bytes(CommunicationId id) const {
    return program_.communications[id].wire_bytes.value();
  }

  const Program& program_;
  FairSharing sharing_;
  TimerQueue& timers_;
  std::vector<Transfer> transfers_;
  std::vector<double> all_present_;
};

}  // namespace paceline
