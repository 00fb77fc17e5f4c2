// How a run works. Most ends follow from what is known: an operation whose predecessors' ends are known has a
// known start, and, if nothing slows it down, a known end. Those are handed on at once, ahead of the clock,
// without a queue. Only what depends on who else is active at the same moment waits for the clock: transfers
// that may share a resource, and kernels on ranks that communication slows down. All that happens at one
// moment is handled before rates and speeds are worked out again, so the order within a moment cannot change
// a time.
#include "sim/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/engine/compute_speed.h"
#include "sim/engine/fair_sharing.h"
#include "sim/engine/graph.h"
#include "sim/engine/timer_queue.h"

namespace paceline {
namespace {

constexpr double not_ended = -1;

// How many of the identical flows of a communication cross one copy of a resource. Mirrors `unfold`.
double flows_per_copy(const Program& program, const Communication& communication, const Resource& resource) {
  const std::uint32_t copies = resource.owner == no_id ? 1 : program.ranks[resource.owner].multiplicity;
  if (communication.instances % copies == 0) return communication.instances / copies;
  if (copies % communication.instances == 0) return 1;
  throw std::logic_error(
      fmt::format("{} instances of a communication cannot be spread evenly over {} copies of {}",
                  communication.instances, copies, resource.name));
}

FairSharing make_sharing(const Program& program) {
  std::vector<double> capacities;
  capacities.reserve(program.resources.size());
  for (const Resource& resource : program.resources) capacities.push_back(resource.capacity.value());
  FairSharing sharing(std::move(capacities));
  std::vector<FairSharing::Use> uses;
  for (const Communication& communication : program.communications) {
    uses.clear();
    // One without bytes never moves any.
    if (communication.wire_bytes.value() > 0)
      for (const ResourceUse& use : communication.uses)
        uses.push_back({use.resource, use.weight,
                        flows_per_copy(program, communication, program.resources[use.resource])});
    sharing.add_flow(communication.rate.value(), uses);
  }
  sharing.seal();
  return sharing;
}

Schedule empty_schedule(const Program& program) {
  return {.start = std::vector<double>(program.operations.size()),
          .end = std::vector<double>(program.operations.size(), not_ended),
          .all_present = std::vector<double>(program.communications.size())};
}

class Engine {
 public:
  explicit Engine(const Program& program)
      : program_(program),
        graph_(program),
        sharing_(make_sharing(program)),
        speed_(program, graph_),
        timers_(program.communications.size() + program.streams.size()),
        transfers_(program.communications.size()),
        kernels_(program.streams.size()),
        reached_(program.streams.size() + 1),
        schedule_(empty_schedule(program)) {
    for (CommunicationId id = 0; id < program.communications.size(); ++id)
      transfers_[id].missing = static_cast<std::uint32_t>(graph_.members(id).size());
  }

  Schedule run() {
    for (OpId op = 0; op < program_.operations.size(); ++op)
      if (graph_.nodes()[op].waits_for == 0) push_reached(op);
    hand_on();
    while (!timers_.empty()) {
      now_ = timers_.next_time();
      while (!timers_.empty() && timers_.next_time() == now_) {
        fire(timers_.pop());
        hand_on();
      }
      settle();
    }
    if (ended_ != program_.operations.size()) throw_stuck();
    return std::move(schedule_);
  }

 private:
  enum class Phase : std::uint8_t { gathering, spread, latency, transfer, done };
  struct Transfer {
    double remaining = 0;  // bytes, at `since`
    double rate = 0;
    double since = 0;
    std::uint32_t missing = 0;  // operations that have not arrived
    Phase phase = Phase::gathering;
  };
  struct Kernel {
    double remaining = 0;  // seconds at full speed, at `since`
    double speed = 1;
    double since = 0;
    OpId op = no_id;
    bool running = false;
  };

  // A reached operation is the head of its stream, so a ring with a place for each stream never overflows.
  void push_reached(OpId op) {
    reached_[reached_end_] = op;
    if (++reached_end_ == reached_.size()) reached_end_ = 0;
  }
  void hand_on() {
    while (reached_begin_ != reached_end_) {
      const OpId op = reached_[reached_begin_];
      if (++reached_begin_ == reached_.size()) reached_begin_ = 0;
      reach(op);
    }
  }

  void reach(OpId op) {
    const Operation& operation = program_.operations[op];
    const double start = schedule_.start[op];
    if (operation.kind == OpKind::communication) {
      arrive(operation.communication, start);
    } else if (speed_.covers(operation.stream)) {
      await_kernel(operation.stream, op, start);
    } else {
      finish(op, start + operation.seconds);
    }
  }

  void finish(OpId op, double time) {
    schedule_.end[op] = time;
    schedule_.finish = std::max(schedule_.finish, time);
    ++ended_;
    ++schedule_.events;
    const OpId next = graph_.nodes()[op].next_in_stream;
    if (next != no_id) release(next, time);
    for (const OpId dependent : graph_.dependents(op)) release(dependent, time);
  }

  void release(OpId op, double time) {
    double& start = schedule_.start[op];
    start = std::max(start, time);
    if (--graph_.nodes()[op].waits_for == 0) push_reached(op);
  }

  void arrive(CommunicationId id, double time) {
    double& all_present = schedule_.all_present[id];
    all_present = std::max(all_present, time);
    if (--transfers_[id].missing == 0) begin(id, all_present);
  }

  void begin(CommunicationId id, double all_present) {
    const Communication& communication = program_.communications[id];
    ++schedule_.events;
    if (communication.compute_slowdown > 0) {
      transfers_[id].phase = Phase::spread;
      timers_.set(id, all_present + communication.arrival_spread.value());
      return;
    }
    const double transfer_start = transfer_time(id);
    if (sharing_.is_exclusive(id)) {
      finish_members(id, transfer_start + time_alone(id));
    } else {
      transfers_[id].phase = Phase::latency;
      timers_.set(id, transfer_start);
    }
  }

  // When the transfer itself begins.
  [[nodiscard]] double transfer_time(CommunicationId id) const {
    const Communication& communication = program_.communications[id];
    return schedule_.all_present[id] + (communication.arrival_spread + communication.latency).value();
  }
  [[nodiscard]] double time_alone(CommunicationId id) const {
    const double bytes = program_.communications[id].wire_bytes.value();
    return bytes > 0 ? bytes / sharing_.rate_alone(id) : 0;
  }

  void fire(std::uint32_t timer) {
    ++schedule_.events;
    const auto communications = static_cast<std::uint32_t>(program_.communications.size());
    if (timer < communications) {
      advance(timer);
    } else {
      advance_kernel(timer - communications);
    }
  }

  void advance(CommunicationId id) {
    Transfer& transfer = transfers_[id];
    switch (transfer.phase) {
      case Phase::spread:
        speed_.begin(id);
        transfer.phase = Phase::latency;
        timers_.set(id, transfer_time(id));
        return;
      case Phase::latency:
        if (program_.communications[id].wire_bytes.value() == 0) return end(id);
        transfer.phase = Phase::transfer;
        transfer.remaining = program_.communications[id].wire_bytes.value();
        transfer.since = now_;
        sharing_.start(id);
        return;
      case Phase::transfer:
        sharing_.end(id);
        return end(id);
      case Phase::gathering:
      case Phase::done:
        return;
    }
  }

  void end(CommunicationId id) {
    transfers_[id].phase = Phase::done;
    if (program_.communications[id].compute_slowdown > 0) speed_.end(id);
    finish_members(id, now_);
  }

  void finish_members(CommunicationId id, double time) {
    for (const OpId op : graph_.members(id)) finish(op, time);
  }

  [[nodiscard]] std::uint32_t kernel_timer(StreamId stream) const {
    return static_cast<std::uint32_t>(program_.communications.size()) + stream;
  }

  void await_kernel(StreamId stream, OpId op, double start) {
    kernels_[stream] = {.remaining = program_.operations[op].seconds, .since = start, .op = op};
    if (start > now_) {
      timers_.set(kernel_timer(stream), start);
    } else {
      start_kernel(stream);
    }
  }

  void start_kernel(StreamId stream) {
    Kernel& kernel = kernels_[stream];
    kernel.running = true;
    kernel.speed = speed_.of(program_.streams[stream].rank);
    timers_.set(kernel_timer(stream), kernel.since + kernel.remaining / kernel.speed);
  }

  void advance_kernel(StreamId stream) {
    Kernel& kernel = kernels_[stream];
    if (!kernel.running) return start_kernel(stream);
    kernel.running = false;
    finish(kernel.op, now_);
  }

  void settle() {
    for (const CommunicationId id : sharing_.settle()) {
      Transfer& transfer = transfers_[id];
      transfer.remaining = std::max(0.0, transfer.remaining - transfer.rate * (now_ - transfer.since));
      transfer.since = now_;
      transfer.rate = sharing_.rate(id);
      timers_.set(id, now_ + transfer.remaining / transfer.rate);
    }
    for (const RankId rank : speed_.settle())
      for (const StreamId stream : speed_.covered_streams(rank)) change_speed(stream, speed_.of(rank));
  }

  void change_speed(StreamId stream, double speed) {
    Kernel& kernel = kernels_[stream];
    if (!kernel.running) return;
    kernel.remaining = std::max(0.0, kernel.remaining - kernel.speed * (now_ - kernel.since));
    kernel.since = now_;
    kernel.speed = speed;
    timers_.set(kernel_timer(stream), now_ + kernel.remaining / speed);
  }

  [[noreturn]] void throw_stuck() const {
    std::vector<bool> ended(program_.operations.size());
    for (OpId op = 0; op < ended.size(); ++op) ended[op] = schedule_.end[op] != not_ended;
    throw std::logic_error(fmt::format("{} of {} operations never end:{}", ended.size() - ended_,
                                       ended.size(), describe_stuck(program_, graph_, ended)));
  }

  const Program& program_;
  Graph graph_;
  FairSharing sharing_;
  ComputeSpeed speed_;
  TimerQueue timers_;  // of communications, then of streams
  std::vector<Transfer> transfers_;
  std::vector<Kernel> kernels_;  // by stream
  std::vector<OpId> reached_;    // ring
  std::size_t reached_begin_ = 0;
  std::size_t reached_end_ = 0;
  std::size_t ended_ = 0;
  double now_ = 0;
  Schedule schedule_;
};

}  // namespace

Schedule run(const Program& program) { return Engine(program).run(); }

}  // namespace paceline
