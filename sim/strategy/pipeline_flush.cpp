// GPipe (Huang et al., arXiv 1811.06965) and PipeDream-flush, 1F1B (Narayanan et al., arXiv 2104.04473,
// section 2.2).
#include <algorithm>

#include "sim/strategy/pipeline_orders.h"

namespace paceline {

StageOrder gpipe_order(const PipelineShape& shape, int /*stage*/) {
  StageOrder order;
  for (const StageWork work : {StageWork::forward, StageWork::backward})
    for (int micro_batch = 0; micro_batch < shape.micro_batches; ++micro_batch)
      order.push_back({work, micro_batch, 0});
  return order;
}

StageOrder one_forward_one_backward_order(const PipelineShape& shape, int stage) {
  const int warm_up = std::min(shape.micro_batches, shape.stages - 1 - stage);
  StageOrder order;
  for (int forward = 0; forward < shape.micro_batches + warm_up; ++forward) {
    if (forward < shape.micro_batches) order.push_back({StageWork::forward, forward, 0});
    if (forward >= warm_up) order.push_back({StageWork::backward, forward - warm_up, 0});
  }
  return order;
}

}  // namespace paceline
