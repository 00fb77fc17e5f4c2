#include "sim/plan/split/split_memory.h"

#include <algorithm>

namespace paceline {

void SplitMemory::hold(const SplitLane& lane, MemoryCause cause, double bytes, OpId op, bool at_end) {
  if (bytes != 0) program_.memory.push_back({op, lane.rank, at_end, cause, Bytes(bytes)});
}

void SplitMemory::hold_state(const SplitLane& lane) {
  const Framework& framework = request_.framework;
  const MemoryRules& rules = framework.transformer->memory;
  const int stage = step_.switches.zero_stage;
  const double dense = step_.parameters_of_stage(lane.stage, false);
  const double expert = step_.parameters_of_stage(lane.stage, true);
  const double dense_shards = step_.mesh.group(GroupKind::shards).size;
  const double expert_shards = step_.mesh.group(GroupKind::expert_data).size;
  const auto held = [&](int from) {
    return stage >= from ? dense / dense_shards + expert / expert_shards : dense + expert;
  };
  hold(lane, MemoryCause::parameters, held(3) * rules.parameter);
  const bool gathered_for_the_step = stage == 3 && step_.pipeline.stages > 1;
  if (gathered_for_the_step) hold(lane, MemoryCause::parameters, (dense + expert) * gathered_bytes);
  hold(lane, MemoryCause::gradients, held(2) * rules.gradient);
  const double states = rules.master + optimizer_state_per_parameter(request_.strategy.optimizer).value();
  hold(lane, MemoryCause::optimizer, held(1) * states);
  if (rules.bucket_buffers && (stage == 1 || stage == 2)) {
    const double elements = std::min(step_.switches.bucket_elements, dense + expert);
    hold(lane, MemoryCause::buckets,
         elements * step_.switches.gradient_bytes * (step_.switches.overlap_gradients ? 2 : 1));
  }
  hold(lane, MemoryCause::input, request_.model.input_bytes * request_.batch_per_device);
  hold(lane, MemoryCause::context, framework.context.value());
  hold(lane, MemoryCause::workspace, framework.library_workspace.value());
  if (step_.mesh.ranks() > 1) hold(lane, MemoryCause::workspace, framework.communicator.value());
}

double SplitMemory::kept_of(const PlaceWork& place) const {
  const Recompute recompute = request_.strategy.parallel.recompute;
  double sum = 0;
  for (const std::size_t index : place.units) {
    const Unit& unit = step_.units[index].unit;
    const double whole = unit.kept.value(), input = std::min(unit.input.value(), whole);
    const bool layer = unit.kind == UnitKind::layer;
    if (layer && recompute == Recompute::full)
      sum += input;
    else if (layer && recompute == Recompute::half)
      sum += (input + whole) / 2;
    else if (layer && recompute == Recompute::operators)
      sum += std::max(input, whole / 2);
    else
      sum += whole;
  }
  return sum;
}

double SplitMemory::rebuilt_of(const PlaceWork& place) const {
  const Recompute recompute = request_.strategy.parallel.recompute;
  if (recompute == Recompute::none || recompute == Recompute::selective) return 0;
  double most = 0;
  for (const std::size_t index : place.units) {
    const Unit& unit = step_.units[index].unit;
    if (unit.kind == UnitKind::layer) most = std::max(most, (unit.kept - unit.input).value());
  }
  return most;
}

void SplitMemory::keep(const SplitLane& lane, const PlaceWork& place, OpId forward) {
  hold(lane, MemoryCause::activations, kept_of(place), forward, true);
}

void SplitMemory::give_back(const SplitLane& lane, const PlaceWork& place, OpId first, OpId last) {
  const double rebuilt = rebuilt_of(place);
  hold(lane, MemoryCause::activations, rebuilt, first, false);
  hold(lane, MemoryCause::activations, -rebuilt - kept_of(place), last, true);
}

void SplitMemory::gathered(const SplitLane& lane, const Unit& unit, OpId op, bool freed) {
  double elements = 0;
  if (step_.mesh.group(GroupKind::shards).size > 1) elements += unit.dense_parameters;
  if (step_.mesh.group(GroupKind::expert_data).size > 1) elements += unit.expert_parameters;
  hold(lane, MemoryCause::parameters, elements * gathered_bytes * (freed ? -1 : 1), op, freed);
}

void SplitMemory::unreduced(const SplitLane& lane, const Unit& unit, OpId op, bool freed) {
  const double bytes = (unit.dense_parameters + unit.expert_parameters) * step_.switches.gradient_bytes;
  hold(lane, MemoryCause::gradients, freed ? -bytes : bytes, op, freed);
}

}  // namespace paceline
