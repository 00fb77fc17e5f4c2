#include "sim/plan/split/pass_emitter.h"

#include <fmt/format.h>

#include <algorithm>

namespace paceline {
namespace {

// What exchanges that run beside the whole pass add to each second of its kernels.
double stretch_of(const Pass& pass, const PassTime& time, const GroupTimes& groups) {
  Seconds longer;
  for (std::size_t step = 0; step < pass.steps.size(); ++step) {
    const auto* exchange = std::get_if<Exchange>(&pass.steps[step]);
    if (!exchange || exchange->cover.beside != whole_pass) continue;
    const CoveredExchange covered = cover_of(pass, step, groups);
    longer += covered.longer + covered.sticking_out;
  }
  return time.kernels > Seconds(0) ? longer / time.kernels : 0;
}

Provenance main_provenance(const PassTime& time) {
  const auto most = std::max_element(time.provenance.begin(), time.provenance.end());
  return static_cast<Provenance>(most - time.provenance.begin());
}

}  // namespace

OpId PassEmitter::compute(SplitLane& lane, const std::string& name, const std::string& phase, Seconds time,
                          Provenance provenance) {
  Operation operation;
  operation.stream = lane.compute;
  operation.family = Family::kernel;
  operation.seconds = time.value();
  operation.provenance = provenance;
  operation.name = program_.strings.intern(name);
  operation.phase = program_.phase(phase);
  lane.last = program_.add_operation(operation, lane.blockers);
  lane.blockers.clear();
  return lane.last;
}

OpId PassEmitter::communicate(SplitLane& lane, StreamId stream, CommunicationId communication,
                              const std::string& name, const std::string& phase, std::span<const OpId> after,
                              bool after_compute) {
  std::vector<OpId> wait(after.begin(), after.end());
  if (after_compute) {
    if (lane.last != no_id) wait.push_back(lane.last);
    wait.insert(wait.end(), lane.blockers.begin(), lane.blockers.end());
  }
  Operation operation;
  operation.stream = stream;
  operation.kind = OpKind::communication;
  operation.family = Family::communication;
  operation.communication = communication;
  const Communication& what = program_.communications[communication];
  operation.name =
      program_.strings.intern(name.empty() ? fmt::format("nccl {}", to_string(what.kind)) : name);
  operation.phase = program_.phase(phase);
  return program_.add_operation(operation, wait);
}

void PassEmitter::exchange(SplitLane& lane, const Pass& pass, std::size_t step, const std::string& phase) {
  const auto& what = std::get<Exchange>(pass.steps[step]);
  const CoveredExchange covered = cover_of(pass, step, step_.groups);
  const Seconds all = covered.time.total();
  if (!(all > Seconds(0))) return;
  const auto add = [&](Seconds time) {
    const CommunicationId id = lanes_.add_collective(lane, what.kind, what.group, what.message, covered.time,
                                                     time / all * step_.jitter);
    return communicate(lane, lanes_.stream(lane, what.group), id, what.name, phase);
  };
  if (covered.blocking > Seconds(0)) lane.blockers = {add(covered.blocking)};
  if (!(covered.beside > Seconds(0))) return;
  if (what.cover.beside == whole_pass) {
    add(covered.beside + covered.longer);
    return;
  }
  // It starts when the part of the kernels has run that it cannot use: only where it ends last does it
  // matter.
  Seconds time = covered.beside + covered.longer;
  if (covered.sticking_out > Seconds(0)) time += covered.kernels - covered.window;
  const double longer = covered.kernels > Seconds(0) ? covered.longer / covered.kernels : 0;
  beside_.push_back({add(time), what.cover.beside, longer});
}

void PassEmitter::kernels(SplitLane& lane, const Pass& pass, const PassTime& time, const std::string& name,
                          const std::string& phase) {
  const double stretch = stretch_of(pass, time, step_.groups);
  beside_.clear();
  for (std::size_t step = 0; step < pass.steps.size(); ++step) {
    const auto* kernel = std::get_if<Kernel>(&pass.steps[step]);
    if (!kernel) {
      exchange(lane, pass, step, phase);
      continue;
    }
    double longer = stretch;
    for (const Beside& each : beside_) longer += each.longer;
    compute(lane, fmt::format("{} {}", name, kernel->name), phase,
            kernel->time * ((1 + longer) * step_.jitter), kernel->provenance);
    for (Beside& each : beside_)
      if (--each.kernels == 0) lane.blockers.push_back(each.op);
    std::erase_if(beside_, [](const Beside& each) { return each.kernels <= 0; });
  }
  for (const Beside& each : beside_) lane.blockers.push_back(each.op);
}

void PassEmitter::pass(SplitLane& lane, const Pass& pass, const PassTime& time, const std::string& name,
                       const std::string& phase) {
  if (pass.steps.empty()) return;
  std::vector<OpId> wait = lane.blockers;
  if (lane.last != no_id) wait.push_back(lane.last);
  kernels(lane, pass, time, name, phase);
  if (!(time.host > Seconds(0))) return;
  Operation launch;
  launch.stream = lane.host;
  launch.family = Family::host;
  launch.seconds = time.host.value() * step_.jitter;
  launch.name = program_.strings.intern(name);
  launch.phase = program_.phase(phase);
  lane.blockers.push_back(program_.add_operation(launch, wait));
}

OpId PassEmitter::forward(SplitLane& lane, const UnitCost& cost, const std::string& name) {
  if (detail_ != PlanDetail::kernels)
    return compute(lane, name + " forward", "forward", cost.forward_time() * step_.jitter,
                   main_provenance(cost.forward));
  if (cost.copies > Seconds(0)) compute(lane, name + " copy out", "forward", cost.copies * step_.jitter);
  pass(lane, cost.unit.forward, cost.forward, name, "forward");
  return lane.last;
}

OpId PassEmitter::backward(SplitLane& lane, const UnitCost& cost, const std::string& name) {
  if (detail_ != PlanDetail::kernels)
    return compute(lane, name + " backward", "backward", cost.backward_time() * step_.jitter,
                   main_provenance(cost.backward));
  if (cost.copies > Seconds(0)) compute(lane, name + " copy out", "backward", cost.copies * step_.jitter);
  pass(lane, cost.unit.recompute, cost.recompute, name + " recompute", "backward");
  pass(lane, cost.unit.backward, cost.backward, name, "backward");
  const Seconds rest = cost.accumulation + cost.gradient_copies;
  if (rest > Seconds(0)) compute(lane, name + " gradients", "backward", rest * step_.jitter);
  return lane.last;
}

}  // namespace paceline
