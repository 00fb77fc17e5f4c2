// Timers by time: a heap with four children to a node that knows where each timer is, so that one can be
// moved when its transfer or kernel gets faster or slower. A timer that is set again moves. Nothing allocates
// after construction.
#pragma once

#include <cstdint>
#include <vector>

namespace paceline {

class TimerQueue {
 public:
  using TimerId = std::uint32_t;
  explicit TimerQueue(std::size_t timer_count);

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] double next_time() const { return heap_.front().time; }
  TimerId pop();
  void set(TimerId timer, double time);

 private:
  struct Entry {
    double time;
    TimerId timer;
    // Equal times come in the order of timer ids.
    [[nodiscard]] bool before(const Entry& other) const {
      return time < other.time || (time == other.time && timer < other.timer);
    }
  };
  void place(std::size_t position, const Entry& entry);
  void rise(std::size_t position, const Entry& entry);
  void sink(std::size_t position, const Entry& entry);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> position_;  // in the heap, by timer
};

}  // namespace paceline
