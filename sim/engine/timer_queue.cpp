#include "sim/engine/timer_queue.h"

#include <algorithm>

namespace paceline {
namespace {
constexpr std::uint32_t not_queued = 0xFFFFFFFFU;
constexpr std::size_t children = 4;
}  // namespace

TimerQueue::TimerQueue(std::size_t timer_count) : position_(timer_count, not_queued) {
  heap_.reserve(timer_count);
}

TimerQueue::TimerId TimerQueue::pop() {
  const TimerId first = heap_.front().timer;
  const Entry last = heap_.back();
  heap_.pop_back();
  position_[first] = not_queued;
  if (!heap_.empty()) sink(0, last);
  return first;
}

void TimerQueue::set(TimerId timer, double time) {
  const Entry entry{time, timer};
  const std::uint32_t position = position_[timer];
  if (position == not_queued) {
    heap_.push_back(entry);
    rise(heap_.size() - 1, entry);
  } else if (entry.before(heap_[position])) {
    rise(position, entry);
  } else {
    sink(position, entry);
  }
}

void TimerQueue::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  position_[entry.timer] = static_cast<std::uint32_t>(position);
}

void TimerQueue::rise(std::size_t position, const Entry& entry) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / children;
    if (!entry.before(heap_[parent])) break;
    place(position, heap_[parent]);
    position = parent;
  }
  place(position, entry);
}

void TimerQueue::sink(std::size_t position, const Entry& entry) {
  while (true) {
    const std::size_t first = position * children + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + children, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (heap_[child].before(heap_[least])) least = child;
    if (!heap_[least].before(entry)) break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, entry);
}

}  // namespace paceline
