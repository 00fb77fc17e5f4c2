// One function a schedule: the tasks of one stage in order. Shapes have been checked.
#pragma once

#include <vector>

#include "sim/strategy/pipeline.h"

namespace paceline {

using StageOrder = std::vector<StageTask>;

[[nodiscard]] StageOrder gpipe_order(const PipelineShape& shape, int stage);
[[nodiscard]] StageOrder one_forward_one_backward_order(const PipelineShape& shape, int stage);
[[nodiscard]] StageOrder interleaved_order(const PipelineShape& shape, int stage);
[[nodiscard]] StageOrder zero_bubble_h1_order(const PipelineShape& shape, int stage);
[[nodiscard]] StageOrder zero_bubble_v_order(const PipelineShape& shape, int stage);
[[nodiscard]] StageOrder dual_pipe_order(const PipelineShape& shape, int stage);

}  // namespace paceline
