#include "sim/study/breakdown.h"

#include <algorithm>
#include <vector>

#include "sim/engine/to_timeline.h"
#include "traces/analysis/interval_union.h"

namespace paceline {
namespace {

Seconds seconds_of(Nanoseconds time) { return Seconds(static_cast<double>(time) * 1e-9); }

void add_kernel(const Program& program, const Operation& operation, Seconds time, StepBreakdown& breakdown) {
  // Below a nanosecond it is rounding of the clock.
  const Seconds longer = time - Seconds(operation.seconds);
  if (longer > Seconds(1e-9)) breakdown.contention += longer;
  const std::string& phase = program.phases[operation.phase];
  if (phase == "forward") breakdown.forward += time;
  if (phase == "backward") breakdown.backward += time;
  if (phase == "optimizer") breakdown.optimizer += time;
}

bool is_between_devices(const Program& program, const Operation& operation) {
  return operation.kind == OpKind::communication && program.communications[operation.communication].ranks > 1;
}

}  // namespace

StepBreakdown breakdown_of(const Program& program, const Schedule& schedule) {
  RankId first = 0;
  while (first + 1 < program.ranks.size() && !program.ranks[first].is_device) ++first;
  StepBreakdown breakdown;
  std::vector<Interval> communication, compute, work;
  for (OpId op = 0; op < program.operations.size(); ++op) {
    const Operation& operation = program.operations[op];
    if (program.streams[operation.stream].rank != first || operation.family == Family::host) continue;
    const Interval interval{to_nanoseconds(schedule.start[op]), to_nanoseconds(schedule.end[op])};
    work.push_back(interval);
    if (is_between_devices(program, operation)) communication.push_back(interval);
    if (operation.family != Family::kernel) continue;
    compute.push_back(interval);
    add_kernel(program, operation, Seconds(schedule.end[op] - schedule.start[op]), breakdown);
  }
  const IntervalUnion moving(std::move(communication)), computing(std::move(compute)), busy(std::move(work));
  breakdown.communication = seconds_of(moving.length());
  breakdown.exposed_communication = seconds_of(moving.length() - overlap(moving, computing));
  breakdown.idle = std::max(Seconds(0), Seconds(schedule.finish) - seconds_of(busy.length()));
  return breakdown;
}

}  // namespace paceline
