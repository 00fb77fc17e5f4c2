#include "sim/engine/kernels.h"

#include <algorithm>

namespace paceline {

Kernels::Kernels(const Program& program, const Graph& graph, TimerQueue& timers,
                 TimerQueue::TimerId first_timer)
    : program_(program),
      speed_(program, graph),
      timers_(timers),
      first_timer_(first_timer),
      kernels_(program.streams.size()) {}

void Kernels::enqueue(OpId op, double start_time, double now) {
  const Operation& operation = program_.operations[op];
  kernels_[operation.stream] = {.remaining = operation.seconds, .since = start_time, .op = op};
  if (start_time > now) {
    timers_.set(first_timer_ + operation.stream, start_time);
  } else {
    start(operation.stream);
  }
}

OpId Kernels::fire(StreamId stream) {
  Kernel& kernel = kernels_[stream];
  if (!kernel.running) {
    start(stream);
    return no_id;
  }
  kernel.running = false;
  return kernel.op;
}

void Kernels::start(StreamId stream) {
  Kernel& kernel = kernels_[stream];
  kernel.running = true;
  kernel.speed = speed_.of(program_.streams[stream].rank);
  timers_.set(first_timer_ + stream, kernel.since + kernel.remaining / kernel.speed);
}

void Kernels::settle(double now) {
  for (const RankId rank : speed_.settle())
    for (const StreamId stream : speed_.covered_streams(rank)) change_speed(stream, speed_.of(rank), now);
}

void Kernels::change_speed(StreamId stream, double speed, double now) {
  Kernel& kernel = kernels_[stream];
  if (!kernel.running) return;
  kernel.remaining = std::max(0.0, kernel.remaining - kernel.speed * (now - kernel.since));
  kernel.since = now;
  kernel.speed = speed;
  timers_.set(first_timer_ + stream, now + kernel.remaining / speed);
}

}  // namespace paceline
