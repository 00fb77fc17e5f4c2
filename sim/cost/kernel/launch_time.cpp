#include "sim/cost/kernel/launch_time.h"

#include <algorithm>

namespace paceline {

Seconds host_time(const LaunchCosts& costs, ExecutionMode mode, double operators, double kernels) {
  switch (mode) {
    case ExecutionMode::eager:
      return costs.eager_operator * operators;
    case ExecutionMode::compiled:
      return costs.compiled_kernel * kernels;
    case ExecutionMode::graph:
      return costs.graph + costs.graph_node * kernels;
  }
  return Seconds(0);
}

LaunchTimeline launch_timeline(const std::vector<Launch>& launches) {
  LaunchTimeline timeline;
  bool first = true;
  for (const Launch& launch : launches) {
    timeline.host_finish += launch.host;
    const Seconds start = std::max(timeline.host_finish, timeline.finish);
    if (!first) timeline.idle += start - timeline.finish;
    first = false;
    timeline.finish = start + launch.device;
    if (launch.synchronises) timeline.host_finish = timeline.finish;
  }
  return timeline;
}

}  // namespace paceline
