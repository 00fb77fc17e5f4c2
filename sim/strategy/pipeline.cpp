#include "sim/strategy/pipeline.h"

#include <algorithm>

#include "sim/strategy/pipeline_orders.h"

namespace paceline {
namespace {

StageOrder order_of(const PipelineShape& shape, int stage) {
  switch (shape.schedule) {
    case PipelineSchedule::gpipe:
      return gpipe_order(shape, stage);
    case PipelineSchedule::one_forward_one_backward:
      return one_forward_one_backward_order(shape, stage);
    case PipelineSchedule::interleaved:
      return interleaved_order(shape, stage);
    case PipelineSchedule::zero_bubble_h1:
      return zero_bubble_h1_order(shape, stage);
    case PipelineSchedule::zero_bubble_v:
      return zero_bubble_v_order(shape, stage);
    case PipelineSchedule::dual_pipe:
      return dual_pipe_order(shape, stage);
  }
  return {};
}

}  // namespace

std::vector<std::vector<StageTask>> tasks_of_stages(const PipelineShape& shape) {
  check(shape);
  std::vector<StageOrder> stages;
  for (int stage = 0; stage < shape.stages; ++stage) stages.push_back(order_of(shape, stage));
  return stages;
}

int places_in_model(const PipelineShape& shape) {
  return shape.schedule == PipelineSchedule::dual_pipe ? shape.stages : shape.stages * shape.chunks;
}

int place_in_model(const PipelineShape& shape, int stage, int chunk) {
  const bool mirrored =
      shape.schedule == PipelineSchedule::zero_bubble_v || shape.schedule == PipelineSchedule::dual_pipe;
  if (mirrored && chunk == 1) return places_in_model(shape) - 1 - stage;
  return stage + chunk * shape.stages;
}

int most_in_flight(const PipelineShape& shape, int stage) {
  check(shape);
  int held = 0, most = 0;
  for (const StageTask& task : order_of(shape, stage)) {
    if (task.work == StageWork::forward) most = std::max(most, ++held);
    if (task.work == StageWork::backward || task.work == StageWork::backward_weight) --held;
  }
  return most;
}

}  // namespace paceline
