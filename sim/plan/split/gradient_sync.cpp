#include "sim/plan/split/gradient_sync.h"

#include <algorithm>

namespace paceline {

OpId GradientSync::collective(SplitLane& lane, CollectiveKind kind, GroupKind group, Bytes message,
                              const char* name, std::span<const OpId> after, bool after_compute) {
  const CollectiveTime time = step_.groups.of(kind, message, group);
  const CommunicationId id = lanes_.add_collective(lane, kind, group, message, time);
  program_.communications[id].compute_slowdown = step_.switches.slowdown;
  const bool gathers = kind == CollectiveKind::all_gather;
  const StreamId stream = gathers ? lanes_.gather_stream(lane) : lanes_.stream(lane, group);
  return emitter_.communicate(lane, stream, id, name, gathers ? "forward" : "backward", after, after_compute);
}

OpId GradientSync::gather(SplitLane& lane, double dense, double expert, std::span<const OpId> after,
                          bool after_compute) {
  std::vector<OpId> gathered;
  const auto one = [&](double elements, GroupKind group) {
    if (elements > 0 && step_.mesh.group(group).size > 1)
      gathered.push_back(collective(lane, CollectiveKind::all_gather, group, Bytes(elements * gathered_bytes),
                                    "all-gather parameters", after, after_compute));
  };
  one(dense, GroupKind::shards);
  one(expert, GroupKind::expert_data);
  lane.blockers.insert(lane.blockers.end(), gathered.begin(), gathered.end());
  return gathered.empty() ? no_id : gathered.back();
}

OpId GradientSync::gather_unit(SplitLane& lane, const Unit& unit) {
  std::vector<OpId> after;
  const auto ahead = static_cast<std::size_t>(rules_.shards.gathers_ahead);
  if (ends_.size() >= ahead) after.push_back(ends_[ends_.size() - ahead]);
  return gather(lane, unit.dense_parameters, unit.expert_parameters, after, false);
}

std::size_t GradientSync::gather_bucket(SplitLane& lane, const PlaceWork& place, std::size_t begin) {
  double dense = 0, expert = 0;
  std::size_t next = begin;
  while (next < place.units.size() && (next == begin || dense + expert < step_.switches.bucket_elements)) {
    const Unit& unit = step_.units[place.units[next++]].unit;
    dense += unit.dense_parameters;
    expert += unit.expert_parameters;
  }
  gather(lane, dense, expert, {}, false);
  return next;
}

void GradientSync::gather_at_end(SplitLane& lane) {
  gather(lane, step_.parameters_of_stage(lane.stage, false), step_.parameters_of_stage(lane.stage, true), {},
         true);
}

void GradientSync::reduce(SplitLane& lane, double dense, double expert) {
  const auto send = [&](CollectiveKind kind, GroupKind group, double elements, const char* name,
                        std::span<const OpId> after) {
    if (elements <= 0 || step_.mesh.group(group).size < 2) return no_id;
    const Bytes message(elements * step_.switches.gradient_bytes);
    last_reduction_ = collective(lane, kind, group, message, name, after, true);
    sent_.push_back(last_reduction_);
    return last_reduction_;
  };
  if (step_.switches.zero_stage == 0) {
    send(CollectiveKind::all_reduce, GroupKind::data, dense, "all-reduce gradients", {});
    send(CollectiveKind::all_reduce, GroupKind::expert_data, expert, "all-reduce expert gradients", {});
    return;
  }
  std::vector<OpId> scattered{
      send(CollectiveKind::reduce_scatter, GroupKind::shards, dense, "reduce-scatter gradients", {})};
  std::erase(scattered, no_id);
  send(CollectiveKind::all_reduce, GroupKind::replicas, dense / step_.mesh.group(GroupKind::shards).size,
       "all-reduce gradients of replicas", scattered);
  send(CollectiveKind::reduce_scatter, GroupKind::expert_data, expert, "reduce-scatter expert gradients", {});
}

void GradientSync::gradients_ready(SplitLane& lane, const Unit& unit, bool last) {
  if (is_sharded()) {
    const OpId before = last_reduction_;
    reduce(lane, unit.dense_parameters, unit.expert_parameters);
    // The copy into the next reduction's input waits until this one's is free.
    if (rules_.shards.reduce_stalls_compute && before != no_id) lane.blockers.push_back(before);
    return;
  }
  dense_ += unit.dense_parameters;
  expert_ += unit.expert_parameters;
  if (!step_.switches.overlap_gradients) return;
  if (!last && dense_ + expert_ < step_.switches.bucket_elements) return;
  reduce(lane, dense_, expert_);
  dense_ = expert_ = 0;
}

void GradientSync::finish(SplitLane& lane) {
  if (dense_ + expert_ > 0) reduce(lane, dense_, expert_);
  dense_ = expert_ = 0;
  lane.blockers.insert(lane.blockers.end(), sent_.begin(), sent_.end());
  sent_.clear();
}

}  // namespace paceline
