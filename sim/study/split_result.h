// What a step over a mesh comes to: where a rank's time goes, what its groups exchange, how well the devices
// are used.
#pragma once

#include <array>

#include "sim/cost/transformer/split_step.h"
#include "sim/plan/program.h"
#include "sim/plan/schedule.h"

namespace paceline {

// Of one rank of the stage that computes longest; the parts add up to the step.
struct SplitBreakdown {
  int stage = 0;
  Seconds compute;    // kernels, recomputation among them, with what communication beside them costs
  Seconds recompute;  // of compute
  std::array<Seconds, group_kind_count> exposed{};  // communication that compute waits for; pipeline: sends
  Seconds host;    // what launching the kernels of layers takes beyond running them
  Seconds bubble;  // waiting for other stages
  Seconds optimizer;
  [[nodiscard]] Seconds exposed_communication() const;
};

struct SplitResult {
  SplitBreakdown breakdown;
  std::array<Bytes, group_kind_count> sent{};  // by a rank of that stage in a step, ring counted
  std::array<int, group_kind_count> group_sizes{};
  // Forward and backward of the model, causal attention counted as half; and with what is recomputed.
  Flops model_work, hardware_work;
  double mfu = 0, hfu = 0;  // of all devices' peak in the precision of the step
};

[[nodiscard]] SplitResult split_result(const SplitStep& step, const Program& program,
                                       const Schedule& schedule, double global_batch, FlopsPerSecond peak);

}  // namespace paceline
