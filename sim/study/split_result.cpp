#include "sim/study/split_result.h"

#include <algorithm>

#include "sim/engine/to_timeline.h"
#include "traces/analysis/interval_union.h"

namespace paceline {
namespace {

constexpr auto index_of(GroupKind kind) { return static_cast<std::size_t>(kind); }

Seconds seconds_of(Nanoseconds time) { return Seconds(static_cast<double>(time) * 1e-9); }

int slowest_stage(const SplitStep& step) {
  int slowest = 0;
  Seconds most;
  for (int stage = 0; stage < step.pipeline.stages; ++stage) {
    Seconds sum;
    for (const int place : step.places_of_stage(stage)) {
      const PlaceWork& here = step.places[static_cast<std::size_t>(place)];
      sum += here.forward + here.backward;
    }
    if (sum > most) most = sum, slowest = stage;
  }
  return slowest;
}

// Micro-batches that pass a place of the stage: half of them each of DualPipe's copies.
double passes_of(const SplitStep& step) {
  const double copies = step.pipeline.schedule == PipelineSchedule::dual_pipe ? 2 : 1;
  return step.micro_batches() / copies;
}

// What one pass adds, `times` of it.
void add_pass(const PassTime& time, double times, double jitter, SplitBreakdown& breakdown) {
  breakdown.compute += time.kernels * (times * jitter);
  for (std::size_t group = 0; group < group_kind_count; ++group)
    breakdown.exposed[group] += time.exposed_by_group[group] * (times * jitter);
  breakdown.host += (time.total() - time.device()) * (times * jitter);
}

void add_sent(const SplitStep& step, const Pass& pass, double times, SplitResult& result) {
  for (const PassStep& each : pass.steps) {
    const auto* exchange = std::get_if<Exchange>(&each);
    if (exchange)
      result.sent[index_of(exchange->group)] +=
          bytes_sent(*exchange, step.mesh.group(exchange->group).size) * times;
  }
}

void add_units(const SplitStep& step, int stage, SplitResult& result) {
  const double times = passes_of(step);
  for (const int place : step.places_of_stage(stage)) {
    for (const std::size_t index : step.places[static_cast<std::size_t>(place)].units) {
      const UnitCost& cost = step.units[index];
      add_pass(cost.forward, times, step.jitter, result.breakdown);
      add_pass(cost.recompute, times, step.jitter, result.breakdown);
      add_pass(cost.backward, times, step.jitter, result.breakdown);
      result.breakdown.recompute += cost.recompute.kernels * (times * step.jitter);
      const Seconds rest = cost.copies * 2 + cost.gradient_copies + cost.accumulation;
      result.breakdown.compute += rest * (times * step.jitter);
      for (const Pass* pass : {&cost.unit.forward, &cost.unit.recompute, &cost.unit.backward})
        add_sent(step, *pass, times, result);
    }
  }
}

bool belongs_to_units(const std::string& group) {
  for (const GroupKind kind : {GroupKind::tensor, GroupKind::context, GroupKind::expert})
    if (group == to_string(kind)) return true;
  return false;
}

// When a rank computes, its units' exchanges included, and when its other collectives and its sends move
// data.
struct Activity {
  std::vector<Interval> units, optimizer, data, sends;
  Seconds contention;  // by which kernels are longer than they would be alone
};

Activity activity_of(const Program& program, const Schedule& schedule, RankId rank) {
  Activity activity;
  for (OpId op = 0; op < program.operations.size(); ++op) {
    const Operation& operation = program.operations[op];
    if (program.streams[operation.stream].rank != rank || operation.family == Family::host) continue;
    Interval interval{to_nanoseconds(schedule.start[op]), to_nanoseconds(schedule.end[op])};
    if (operation.kind == OpKind::local) {
      const bool last = program.phases[operation.phase] == "optimizer";
      (last ? activity.optimizer : activity.units).push_back(interval);
      activity.contention += Seconds(schedule.end[op] - schedule.start[op] - operation.seconds);
      continue;
    }
    const Communication& what = program.communications[operation.communication];
    interval.begin = to_nanoseconds(schedule.all_present[operation.communication]);
    const bool send = what.kind == CommunicationKind::send_receive;
    (send                           ? activity.sends
     : belongs_to_units(what.group) ? activity.units
                                    : activity.data)
        .push_back(interval);
  }
  return activity;
}

void append(std::vector<Interval>& to, const std::vector<Interval>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// What the schedule adds to the units' own time. What nothing else explains is waiting for other stages.
void add_schedule(const Program& program, const Schedule& schedule, SplitBreakdown& breakdown) {
  Activity activity = activity_of(program, schedule, static_cast<RankId>(breakdown.stage));
  breakdown.optimizer = seconds_of(IntervalUnion(activity.optimizer).length());
  breakdown.compute += activity.contention;
  std::vector<Interval> busy = activity.units;
  append(busy, activity.optimizer);
  const IntervalUnion computing(busy), data(activity.data), sends(activity.sends);
  append(busy, activity.data);
  const IntervalUnion before_sends(std::move(busy));
  breakdown.exposed[index_of(GroupKind::data)] += seconds_of(data.length() - overlap(data, computing));
  breakdown.exposed[index_of(GroupKind::pipeline)] +=
      seconds_of(sends.length() - overlap(sends, before_sends));
  const Seconds known =
      breakdown.compute + breakdown.exposed_communication() + breakdown.host + breakdown.optimizer;
  breakdown.bubble = std::max(Seconds(0), Seconds(schedule.finish) - known);
}

// A rank receives from its neighbours as many activations and gradients as it sends them.
void add_sent_by_schedule(const Program& program, RankId rank, SplitResult& result) {
  for (const Operation& operation : program.operations) {
    if (operation.kind != OpKind::communication || program.streams[operation.stream].rank != rank) continue;
    const Communication& what = program.communications[operation.communication];
    if (belongs_to_units(what.group)) continue;
    const bool send = what.kind == CommunicationKind::send_receive;
    result.sent[index_of(send ? GroupKind::pipeline : GroupKind::data)] += what.wire_bytes * (send ? 0.5 : 1);
  }
}

Flops work_of(const SplitStep& step, bool recomputed) {
  Flops sum;
  for (const PlaceWork& place : step.places)
    for (const std::size_t index : place.units) {
      const UnitCost& cost = step.units[index];
      sum += recomputed ? cost.recompute.work : cost.forward.work + cost.backward.work;
    }
  return sum;
}

}  // namespace

Seconds SplitBreakdown::exposed_communication() const {
  Seconds sum;
  for (const Seconds& each : exposed) sum += each;
  return sum;
}

SplitResult split_result(const SplitStep& step, const Program& program, const Schedule& schedule,
                         double global_batch, FlopsPerSecond peak) {
  SplitResult result;
  result.breakdown.stage = slowest_stage(step);
  add_units(step, result.breakdown.stage, result);
  add_schedule(program, schedule, result.breakdown);
  add_sent_by_schedule(program, static_cast<RankId>(result.breakdown.stage), result);
  for (std::size_t group = 0; group < group_kind_count; ++group)
    result.group_sizes[group] = step.mesh.group(static_cast<GroupKind>(group)).size;
  constexpr double forward_and_backward = 3;
  result.model_work = step.work.model_flops * (forward_and_backward * global_batch);
  const Flops useful = work_of(step, false);
  const double again = useful > Flops(0) ? work_of(step, true) / useful : 0;
  result.hardware_work = result.model_work * (1 + again);
  const Flops most = peak * Seconds(schedule.finish) * step.mesh.ranks();
  result.mfu = result.model_work / most;
  result.hfu = result.hardware_work / most;
  return result;
}

}  // namespace paceline
