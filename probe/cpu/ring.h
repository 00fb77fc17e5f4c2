// Ring all-reduce over shared memory: each rank sends to its right neighbour and receives from its left.
//
// The message is cut into one chunk a rank. In ranks - 1 steps every chunk travels round the ring and is
// summed on the way (reduce-scatter); in ranks - 1 more the sums travel round and are stored (all-gather). So
// each rank sends 2 (ranks - 1) / ranks of the message, which is why busbw = 2 (ranks - 1) / ranks * algbw.
// Chunks travel in slices through a mailbox of two slots, so that a receiver reads one while its neighbour
// writes the other.
#pragma once

#include <array>
#include <cstddef>

#include "probe/cpu/semaphore.h"

namespace paceline {

// Where a rank's left neighbour puts slices. Lives in memory that both share.
class Mailbox {
 public:
  static constexpr std::size_t slice = 16'384;  // floats, 64 KiB: two fit into a second-level cache
  static constexpr unsigned slots = 2;

  Semaphore filled{0};
  Semaphore empty{slots};
  Semaphore token{0};  // of the barrier
  std::array<std::array<float, slice>, slots> slot;
};

// One rank's view of the ring. Used by one thread of one process.
class RingRank {
 public:
  RingRank(int rank, int ranks, Mailbox& from_left, Mailbox& to_right)
      : rank_(rank), ranks_(ranks), from_left_(&from_left), to_right_(&to_right) {}

  // Replaces data[0..count) of every rank by the sum over the ranks; all must call with the same count.
  void all_reduce(float* data, std::size_t count);
  // Returns once every rank has called it.
  void barrier();

 private:
  enum class Arrival { add, store };
  struct Span {
    float* begin;
    std::size_t count;
  };
  void exchange(float* data, std::size_t count, int send_chunk, int receive_chunk, Arrival arrival);
  [[nodiscard]] Span slice_of(float* data, std::size_t count, int chunk, std::size_t index) const;
  void send(Span from);
  void receive(Span to, Arrival arrival);

  int rank_;
  int ranks_;
  Mailbox* from_left_;
  Mailbox* to_right_;
  std::size_t sent_ = 0;
  std::size_t received_ = 0;
};

}  // namespace paceline
