// One device: forward, backward, optimizer.
#include "sim/plan/step_builder.h"

namespace paceline {

Program plan_single_device(const StepRequest& request) {
  Program program;
  StepBuilder build(program, request);
  DeviceLane lane = build.add_device({"GPU 0", 0, 1, true}, request.batch_per_device, no_id);
  build.hold_state(lane, true, false);
  build.local_micro_batches(lane, request.strategy.accumulation - 1);
  build.prefetch_input(lane);
  build.cast_weights(lane);
  build.forward({&lane}, lane.host, 1, {});
  const bool released = request.framework.gradients_released;
  build.backward(lane, {}, {}, [&](const Layer& layer) {
    for (const std::size_t parameter : layer.parameters) {
      const Bytes bytes(4 * static_cast<double>(request.model.parameters[parameter].elements));
      if (released) build.hold(lane, MemoryCause::gradients, bytes, lane.last_compute, true);
    }
  });
  if (request.strategy.accumulation > 1)
    build.compute(lane, request.kernels.accumulation(request.model), "backward", request.scale.backward);
  const OpId end = build.optimizer(lane, {});
  if (released) build.hold(lane, MemoryCause::gradients, -build.parameter_bytes(), end, true);
  return program;
}

}  // namespace paceline
