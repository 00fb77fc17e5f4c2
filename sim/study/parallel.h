// A loop over independent cases on all cores.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <cstddef>

namespace paceline {

// Calls `body` with 0 ... count - 1, from several threads at once. The two atomic variables say what the
// library guarantees anyway, in words that a thread sanitizer hears although oneTBB is not instrumented: what
// was written before the loop is seen in it, and what was written in it is seen after it.
template <class Body>
void for_each_index(std::size_t count, const Body& body) {
  std::atomic<bool> begun{false};
  std::atomic<std::size_t> ended{0};
  begun.store(true, std::memory_order_release);
  oneapi::tbb::parallel_for(std::size_t{0}, count, [&](std::size_t index) {
    static_cast<void>(begun.load(std::memory_order_acquire));
    body(index);
    ended.fetch_add(1, std::memory_order_release);
  });
  static_cast<void>(ended.load(std::memory_order_acquire));
}

}  // namespace paceline
