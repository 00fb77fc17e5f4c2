// Kernels on ranks that communication slows down: they progress at their rank's compute speed, so when they
// end is only known when they do.
#pragma once

#include <vector>

#include "sim/engine/compute_speed.h"
#include "sim/engine/timer_queue.h"

namespace paceline {

class Kernels {
 public:
  // Stream s has the timer first_timer + s.
  Kernels(const Program& program, const Graph& graph, TimerQueue& timers, TimerQueue::TimerId first_timer);

  [[nodiscard]] bool covers(StreamId stream) const { return speed_.covers(stream); }
  // The operation is at the head of its stream and starts at `start`, now or later.
  void enqueue(OpId op, double start, double now);
  // The stream's timer has gone off; returns the operation that ended, or no_id if one started.
  OpId fire(StreamId stream);

  void begin(CommunicationId communication) { speed_.begin(communication); }
  void end(CommunicationId communication) { speed_.end(communication); }
  void settle(double now);

 private:
  struct Kernel {
    double remaining = 0;  // seconds at full speed, at `since`
    double speed = 1;
    double since = 0;
    OpId op = no_id;
    bool running = false;
  };
  void start(StreamId stream);
  void change_speed(StreamId stream, double speed, double now);

  const Program& program_;
  ComputeSpeed speed_;
  TimerQueue& timers_;
  TimerQueue::TimerId first_timer_;
  std::vector<Kernel> kernels_;  // by stream: one at a time
};

}  // namespace paceline
