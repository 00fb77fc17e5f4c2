// The closed forms of the strategies, one file each.
#pragma once

#include "sim/analytic/estimate.h"

namespace paceline {

[[nodiscard]] Estimate estimate_single_device(const StepRequest& request);
[[nodiscard]] Estimate estimate_data_parallel(const StepRequest& request);
[[nodiscard]] Estimate estimate_distributed_data_parallel(const StepRequest& request);
[[nodiscard]] Estimate estimate_horovod(const StepRequest& request);
[[nodiscard]] Estimate estimate_mirrored(const StepRequest& request);
[[nodiscard]] Estimate estimate_parameter_server(const StepRequest& request);
[[nodiscard]] Estimate estimate_split(const StepRequest& request);

}  // namespace paceline
