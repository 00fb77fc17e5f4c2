// Writes the passes of units into a Program: as one operation each, or kernel by kernel with every exchange.
// Both take the same time.
#pragma once

#include <span>
#include <string>

#include "sim/plan/split/split_lane.h"

namespace paceline {

enum class PlanDetail : std::uint8_t { kernels, units, places };

class PassEmitter {
 public:
  PassEmitter(Program& program, SplitLanes& lanes, const SplitStep& step, PlanDetail detail)
      : program_(program), lanes_(lanes), step_(step), detail_(detail) {}

  // Computation on the lane that waits for all it was told to.
  OpId compute(SplitLane& lane, const std::string& name, const std::string& phase, Seconds time,
               Provenance provenance = Provenance::modelled);
  // Beside the lane's compute, after what it has done so far and `after`. `name` may be empty: that of the
  // collective.
  OpId communicate(SplitLane& lane, StreamId stream, CommunicationId communication, const std::string& name,
                   const std::string& phase, std::span<const OpId> after = {}, bool after_compute = true);

  // Returns the last operation.
  OpId forward(SplitLane& lane, const UnitCost& cost, const std::string& name);
  OpId backward(SplitLane& lane, const UnitCost& cost, const std::string& name);
  [[nodiscard]] PlanDetail detail() const { return detail_; }

 private:
  void pass(SplitLane& lane, const Pass& pass, const PassTime& time, const std::string& name,
            const std::string& phase);
  void kernels(SplitLane& lane, const Pass& pass, const PassTime& time, const std::string& name,
               const std::string& phase);
  void exchange(SplitLane& lane, const Pass& pass, std::size_t step, const std::string& phase);

  struct Beside {
    OpId op;
    int kernels;  // until it is joined
    double longer;
  };

  Program& program_;
  SplitLanes& lanes_;
  const SplitStep& step_;
  PlanDetail detail_;
  std::vector<Beside> beside_;
};

}  // namespace paceline
