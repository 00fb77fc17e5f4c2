// A ring of real processes: forked once, told what to do, ended by the destructor.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "base/quantity.h"
#include "probe/cpu/shared_memory.h"

namespace paceline {

class RingProcesses {
 public:
  // Each rank gets room for `most_floats`. Throws DeviceError if memory or processes are refused.
  RingProcesses(int ranks, std::size_t most_floats);
  ~RingProcesses();
  RingProcesses(const RingProcesses&) = delete;
  RingProcesses& operator=(const RingProcesses&) = delete;

  // All-reduces numbers that differ by rank and position and compares every element on every rank with the
  // sum. Returns how many were wrong. Throws DeviceError if a rank ends.
  std::size_t count_wrong(std::size_t floats);
  // From a barrier until the slowest rank has finished `repetitions` all-reduces. Throws as count_wrong.
  Seconds time(std::size_t floats, int repetitions);

 private:
  struct Order;
  struct Desk;

  void start(int rank);
  void serve(int rank);
  void execute(const Order& order);
  void await(int rank);
  void throw_if_ended(int rank);
  void end_all();
  [[nodiscard]] Desk& desk(int rank) const;
  [[nodiscard]] float* data(int rank) const;

  int ranks_;
  std::size_t most_floats_;
  std::size_t bytes_a_rank_;
  SharedMemory memory_;
  std::vector<pid_t> processes_;
};

}  // namespace paceline
