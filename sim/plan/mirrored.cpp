// All-reduce of all gradients after backward by the framework itself: MirroredStrategy,
// MultiWorkerMirroredStrategy and their kin. (tensorflow/python/distribute/cross_device_ops.py: gradients are
// concatenated into packs, each is reduced when all of them are there, and split again.)
//
// Packs follow each other: copy in, all-reduce, copy out; the optimizer waits for the last. A device alone
// has nothing to reduce.
#include "sim/cost/mirrored_time.h"
#include "sim/plan/step_builder.h"

namespace paceline {
namespace {

class MirroredStep {
 public:
  MirroredStep(Program& program, const StepRequest& request)
      : program_(program), request_(request), build_(program, request), plan_(mirrored_plan(request)) {}

  void run() {
    const auto ranks = static_cast<std::uint32_t>(request_.devices);
    lane_ = build_.add_device({"rank 0-" + std::to_string(ranks - 1), 0, ranks, true},
                              request_.batch_per_device, no_id);
    build_.hold_state(lane_, true, true);
    build_.local_micro_batches(lane_, request_.strategy.accumulation - 1);
    build_.prefetch_input(lane_);
    build_.cast_weights(lane_);
    build_.forward({&lane_}, lane_.host, 1, {});
    build_.backward(lane_, {}, {}, [&](const Layer& layer) { hold_gradients(layer); });
    if (request_.strategy.accumulation > 1)
      build_.compute(lane_, request_.kernels.accumulation(request_.model), "backward",
                     request_.scale.backward);
    const OpId coordinated = build_.host(lane_.host, "cross-device reduction", "backward", plan_.coordination,
                                         std::span(&lane_.last_compute, 1));
    OpId before = coordinated;
    for (const Bucket& pack : plan_.packs) before = reduce(pack, before);
    const OpId end = build_.optimizer(lane_, std::span(&before, 1));
    if (request_.framework.gradients_released)
      build_.hold(lane_, MemoryCause::gradients, -build_.parameter_bytes(), end, true);
  }

 private:
  void hold_gradients(const Layer& layer) {
    if (!request_.framework.gradients_released) return;
    for (const std::size_t parameter : layer.parameters)
      build_.hold(lane_, MemoryCause::gradients,
                  Bytes(4 * static_cast<double>(request_.model.parameters[parameter].elements)),
                  lane_.last_compute, true);
  }

  OpId reduce(const Bucket& pack, OpId before) {
    Kernel copy = request_.kernels.streaming("pack of gradients", pack.bytes * 2);
    copy.time = pack_copy_time(request_, pack);
    const bool copied = copy.time.value() > 0;
    if (copied) {
      before = build_.compute(lane_, copy, "backward", 1, std::span(&before, 1));
      build_.hold(lane_, MemoryCause::buckets, pack.bytes, before, false);
    }
    const bool last = &pack == &plan_.packs.back();
    const Seconds spread = last ? arrival_spread(request_, request_.devices, lane_.batch) : Seconds(0);
    const CommunicationId id =
        build_.add_collective(CollectiveKind::all_reduce, pack.bytes, {&lane_}, spread);
    program_.communications[id].rate = pack_all_reduce(request_, plan_, pack).rate;
    OpId done = build_.communicate(lane_, lane_.communication, id, "ncclDevKernel_AllReduce_Sum_f32",
                                   "backward", std::span(&before, 1));
    if (!copied) return done;
    done = build_.compute(lane_, copy, "backward", 1, std::span(&done, 1));
    build_.hold(lane_, MemoryCause::buckets, -pack.bytes, done, true);
    return done;
  }

  Program& program_;
  const StepRequest& request_;
  StepBuilder build_;
  MirroredPlan plan_;
  DeviceLane lane_;
};

}  // namespace

Program plan_mirrored(const StepRequest& request) {
  if (request.devices < 2) return plan_single_device(request);
  Program program;
  MirroredStep(program, request).run();
  return program;
}

}  // namespace paceline
