// Megatron's interleaved 1F1B (Narayanan et al., arXiv 2104.04473, section 2.2; the group as in Megatron-LM
// d98e8a64, megatron/core/pipeline_parallel/schedules.py).
#include <algorithm>

#include "sim/strategy/pipeline_orders.h"

namespace paceline {
namespace {

// Groups of micro-batches pass through chunk 0, then 1, ...; the last group may be smaller.
StageOrder forwards(const PipelineShape& shape) {
  const int group = shape.group > 0 ? shape.group : shape.stages;
  StageOrder order;
  for (int first = 0; first < shape.micro_batches; first += group)
    for (int chunk = 0; chunk < shape.chunks; ++chunk)
      for (int each = first; each < std::min(first + group, shape.micro_batches); ++each)
        order.push_back({StageWork::forward, each, chunk});
  return order;
}

}  // namespace

StageOrder interleaved_order(const PipelineShape& shape, int stage) {
  const StageOrder forward = forwards(shape);
  const int group = shape.group > 0 ? shape.group : shape.stages;
  const int warm_up = 2 * (shape.stages - 1 - stage) + (shape.chunks - 1) * group;
  const std::size_t ahead = std::min(static_cast<std::size_t>(warm_up), forward.size());
  StageOrder order;
  for (std::size_t each = 0; each < forward.size() + ahead; ++each) {
    if (each < forward.size()) order.push_back(forward[each]);
    if (each < ahead) continue;
    // Backward takes the chunks from the last to the first.
    const StageTask& like = forward[each - ahead];
    order.push_back({StageWork::backward, like.micro_batch, shape.chunks - 1 - like.chunk});
  }
  return order;
}

}  // namespace paceline
