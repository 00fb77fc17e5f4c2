// What the ranks of a stage hold over a step: states by the framework's rules, activations from forward to
// backward, units that are gathered for a while.
//
// A rank keeps of P parameters, d of which share the sharded ones (stage: ZeRO's):
//   weights P p, /d from stage 3 on; gradients P g, /d from stage 2 on; states P (master + optimizer), /d
//   from stage 1 on
// Full recomputation keeps the input of a layer and rebuilds one layer in backward; by operators, half of
// what is kept without; every second layer, the mean of the two.
#pragma once

#include "sim/cost/step_request.h"
#include "sim/plan/split/split_lane.h"

namespace paceline {

class SplitMemory {
 public:
  SplitMemory(Program& program, const StepRequest& request)
      : program_(program), request_(request), step_(*request.split) {}

  void hold_state(const SplitLane& lane);
  // Activations of a micro-batch: kept once `forward` has ended, given back when `backward` ends; one layer
  // is rebuilt meanwhile.
  void keep(const SplitLane& lane, const PlaceWork& place, OpId forward);
  void give_back(const SplitLane& lane, const PlaceWork& place, OpId first, OpId last);
  // A unit's parameters, gathered or freed; its gradients before they are reduced.
  void gathered(const SplitLane& lane, const Unit& unit, OpId op, bool freed);
  void unreduced(const SplitLane& lane, const Unit& unit, OpId op, bool freed);

 private:
  void hold(const SplitLane& lane, MemoryCause cause, double bytes, OpId op = no_id, bool at_end = false);
  [[nodiscard]] double kept_of(const PlaceWork& place) const;
  [[nodiscard]] double rebuilt_of(const PlaceWork& place) const;

  Program& program_;
  const StepRequest& request_;
  const SplitStep& step_;
};

}  // namespace paceline
