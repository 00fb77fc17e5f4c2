// The host's timeline against the device's: who waits for whom.
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.h"

namespace paceline {

// eager: the host dispatches every operator. compiled: it launches every kernel from prepared code. graph: it
// launches all kernels at once.
enum class ExecutionMode : std::uint8_t { eager, compiled, graph };

// Host cost; a framework's, or as measured.
struct LaunchCosts {
  Seconds eager_operator;  // Python, dispatcher, autograd and launch
  Seconds compiled_kernel;
  Seconds graph, graph_node;  // one launch, and what each of its kernels adds
};

// Host time of `operators` that launch `kernels` in all.
[[nodiscard]] Seconds host_time(const LaunchCosts& costs, ExecutionMode mode, double operators,
                                double kernels);

struct Launch {
  Seconds host, device;
  bool synchronises = false;  // the host waits for the device before it goes on (.item(), pageable copies)
};

struct LaunchTimeline {
  Seconds finish;       // of the last kernel
  Seconds host_finish;  // of the host's part
  Seconds idle;         // of the device between its first and last kernel
  // The device waited for the host for more than a tenth of the time.
  [[nodiscard]] bool host_bound() const { return idle > finish * 0.1; }
};

// Kernel i starts at max(when the host has launched it, end of kernel i - 1).
[[nodiscard]] LaunchTimeline launch_timeline(const std::vector<Launch>& launches);

}  // namespace paceline
