// The planner: lowers a model, a strategy and a group of devices to a Program. One strategy, one file.
#pragma once

#include "sim/cost/step_request.h"
#include "sim/plan/program.h"

namespace paceline {

// Throws InputError when the strategy cannot run as asked (nn.DataParallel over several nodes, ...).
[[nodiscard]] Program plan(const StepRequest& request);

[[nodiscard]] Program plan_single_device(const StepRequest& request);
[[nodiscard]] Program plan_distributed_data_parallel(const StepRequest& request);
[[nodiscard]] Program plan_data_parallel(const StepRequest& request);
[[nodiscard]] Program plan_horovod(const StepRequest& request);
[[nodiscard]] Program plan_mirrored(const StepRequest& request);
[[nodiscard]] Program plan_parameter_server(const StepRequest& request);
// A transformer over a mesh, by its framework's rules; the request has its SplitStep.
[[nodiscard]] Program plan_split(const StepRequest& request);

}  // namespace paceline
