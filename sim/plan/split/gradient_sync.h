// Gradients and parameters of a lane between data-parallel ranks: reduced in buckets or at the end, gathered
// before forward or after the optimizer, unit by unit when parameters are sharded.
#pragma once

#include "sim/plan/split/pass_emitter.h"

namespace paceline {

class GradientSync {
 public:
  GradientSync(Program& program, SplitLanes& lanes, PassEmitter& emitter, const SplitStep& step,
               const TransformerRules& rules)
      : program_(program), lanes_(lanes), emitter_(emitter), step_(step), rules_(rules) {}

  [[nodiscard]] bool is_sharded() const { return step_.switches.zero_stage == 3; }

  // Before a unit of a sharded model computes; its compute will wait. Returns the gathering; no_id where
  // there is nothing to gather.
  OpId gather_unit(SplitLane& lane, const Unit& unit);
  // After a unit has computed: what it gathered may be freed.
  void unit_done(SplitLane& lane) { ends_.push_back(lane.last); }

  // Parameters that are gathered once a step: those of a bucket, from unit number `begin` of the place on.
  // Returns the first unit that it does not reach.
  std::size_t gather_bucket(SplitLane& lane, const PlaceWork& place, std::size_t begin);
  // After the optimizer, where nothing overlaps.
  void gather_at_end(SplitLane& lane);

  // A unit's gradients are ready; `last` of its place.
  void gradients_ready(SplitLane& lane, const Unit& unit, bool last);
  // The last reduction that was sent; no_id before the first.
  [[nodiscard]] OpId last_reduction() const { return last_reduction_; }
  // All that has not been sent is; the lane's next compute waits for everything.
  void finish(SplitLane& lane);

 private:
  OpId gather(SplitLane& lane, double dense, double expert, std::span<const OpId> after, bool after_compute);
  void reduce(SplitLane& lane, double dense, double expert);
  OpId collective(SplitLane& lane, CollectiveKind kind, GroupKind group, Bytes message, const char* name,
                  std::span<const OpId> after, bool after_compute);

  Program& program_;
  SplitLanes& lanes_;
  PassEmitter& emitter_;
  const SplitStep& step_;
  const TransformerRules& rules_;
  double dense_ = 0, expert_ = 0;  // elements that are ready and not sent
  std::vector<OpId> sent_;
  std::vector<OpId> ends_;  // of units' computation, sharded
  OpId last_reduction_ = no_id;
};

}  // namespace paceline
