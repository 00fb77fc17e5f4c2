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

#include "sim/engine/graph.h"
#include "sim/engine/kernels.h"
#include "sim/engine/timer_queue.h"
#include "sim/engine/transfers.h"

namespace paceline {
namespace {

constexpr double not_ended = -1;

class Engine {
 public:
  explicit Engine(const Program& program)
      : program_(program),
        communication_count_(static_cast<std::uint32_t>(program.communications.size())),
        graph_(program),
        timers_(program.communications.size() + program.streams.size()),
        transfers_(program, graph_, timers_),
        kernels_(program, graph_, timers_, communication_count_),
        reached_(program.streams.size() + 1),
        schedule_{.start = std::vector<double>(program.operations.size()),
                  .end = std::vector<double>(program.operations.size(), not_ended),
                  .all_present = {}} {}

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
      transfers_.settle(now_);
      kernels_.settle(now_);
    }
    if (ended_ != program_.operations.size()) throw_stuck();
    schedule_.all_present = transfers_.all_present();
    return std::move(schedule_);
  }

 private:
  // A reached operation is the head of its stream, so a ring with a place for each stream never overflows.
  // First in, first out: replicas of an operation lie side by side in an unfolded program.
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
      if (transfers_.arrive(operation.communication, start)) begin(operation.communication);
    } else if (kernels_.covers(operation.stream)) {
      kernels_.enqueue(op, start, now_);
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

  void begin(CommunicationId id) {
    ++schedule_.events;
    if (transfers_.is_independent(id)) {
      finish_members(id, transfers_.independent_end(id));
    } else {
      transfers_.begin(id);
    }
  }

  void fire(TimerQueue::TimerId timer) {
    ++schedule_.events;
    if (timer < communication_count_) {
      advance(timer);
    } else {
      const OpId ended = kernels_.fire(timer - communication_count_);
      if (ended != no_id) finish(ended, now_);
    }
  }

  void advance(CommunicationId id) {
    const bool slows_kernels = program_.communications[id].compute_slowdown > 0;
    switch (transfers_.fire(id, now_)) {
      case Transfers::Event::spread_over:
        kernels_.begin(id);
        return;
      case Transfers::Event::transfer_started:
        return;
      case Transfers::Event::ended:
        if (slows_kernels) kernels_.end(id);
        finish_members(id, now_);
    }
  }

  void finish_members(CommunicationId id, double time) {
    for (const OpId op : graph_.members(id)) finish(op, time);
  }

  [[noreturn]] void throw_stuck() const {
    std::vector<bool> ended(program_.operations.size());
    for (OpId op = 0; op < ended.size(); ++op) ended[op] = schedule_.end[op] != not_ended;
    throw std::logic_error(fmt::format("{} of {} operations never end:{}", ended.size() - ended_,
                                       ended.size(), describe_stuck(program_, graph_, ended)));
  }

  const Program& program_;
  std::uint32_t communication_count_;
  Graph graph_;
  TimerQueue timers_;  // of communications, then of streams
  Transfers transfers_;
  Kernels kernels_;
  std::vector<OpId> reached_;  // ring
  std::size_t reached_begin_ = 0;
  std::size_t reached_end_ = 0;
  std::size_t ended_ = 0;
  double now_ = 0;
  Schedule schedule_;
};

}  // namespace

Schedule run(const Program& program) { return Engine(program).run(); }

}  // namespace paceline
