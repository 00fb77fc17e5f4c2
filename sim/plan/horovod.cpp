// Horovod: one process a device; a background thread fuses the gradients that are ready, in their order, and
// NCCL sums them on a stream of its own while backward runs.
//
// A response is launched when its tensors are computed, the thread has come round to it and all earlier ones
// are out; on Horovod's stream follow the copy into the fusion buffer, the all-reduce and the copy out, where
// the division by the number of ranks happens. The optimizer waits for all of them. One process alone has
// nothing to average: its step is that of a single device.
#include <map>

#include "sim/cost/gradient_times.h"
#include "sim/plan/step_builder.h"

namespace paceline {
namespace {

class HorovodStep {
 public:
  HorovodStep(Program& program, const StepRequest& request)
      : program_(program), request_(request), build_(program, request), plan_(horovod_plan(request)) {
    for (std::size_t response = 0; response < plan_.responses.size(); ++response)
      response_of_[plan_.responses[response].bucket.parameters.back()] = response;
  }

  void run() {
    const auto ranks = static_cast<std::uint32_t>(request_.devices);
    lane_ = build_.add_device({"rank 0-" + std::to_string(ranks - 1), 0, ranks, true},
                              request_.batch_per_device, no_id);
    thread_ = program_.add_stream({lane_.rank, StreamKind::host, "horovod background"});
    build_.hold_state(lane_, true, true);
    build_.hold(lane_, MemoryCause::buckets, plan_.engine.fusion_threshold);
    build_.local_micro_batches(lane_, request_.strategy.accumulation - 1);
    build_.prefetch_input(lane_);
    build_.cast_weights(lane_);
    build_.forward({&lane_}, lane_.host, 1, {});
    build_.backward(lane_, {}, {}, [&](const Layer& layer) { layer_done(layer); });
    if (request_.strategy.accumulation > 1)
      build_.compute(lane_, request_.kernels.accumulation(request_.model), "backward",
                     request_.scale.backward);
    if (!plan_.overlap)
      for (const FusedResponse& response : plan_.responses) launch(response);
    const OpId end = build_.optimizer(lane_, std::span(&reduced_, 1));
    if (request_.framework.gradients_released)
      build_.hold(lane_, MemoryCause::gradients, -build_.parameter_bytes(), end, true);
  }

 private:
  void layer_done(const Layer& layer) {
    for (const std::size_t parameter : layer.parameters) {
      const Bytes bytes(4 * static_cast<double>(request_.model.parameters[parameter].elements));
      if (request_.framework.gradients_released)
        build_.hold(lane_, MemoryCause::gradients, bytes, lane_.last_compute, true);
      const auto last = response_of_.find(parameter);
      if (plan_.overlap && last != response_of_.end()) launch(plan_.responses[last->second]);
    }
  }

  void launch(const FusedResponse& response) {
    std::vector<OpId> taken;
    if (lane_.last_host != no_id) taken.push_back(lane_.last_host);
    if (computed_ != no_id) taken.push_back(computed_);  // the thread has waited for the response before
    const OpId released =
        build_.host(thread_, "negotiation", "backward", negotiation_time(request_, plan_, response), taken);
    computed_ = lane_.last_compute;
    const Kernel copy = copy_kernel(response.bucket);
    std::vector<OpId> after{released, computed_};
    if (copy.time.value() > 0) {
      build_.compute_beside(lane_, copy, "fusion", after);
      after.clear();
    }
    const bool last = &response == &plan_.responses.back();
    const Seconds spread = last ? arrival_spread(request_, request_.devices, lane_.batch) : Seconds(0);
    const CommunicationId id =
        build_.add_collective(CollectiveKind::all_reduce, response.bucket.bytes, {&lane_}, spread);
    reduced_ = build_.communicate(lane_, lane_.communication, id, "ncclDevKernel_AllReduce_Sum_f32",
                                  "backward", after);
    if (copy.time.value() > 0) reduced_ = build_.compute_beside(lane_, copy, "fusion", {});
  }

  Kernel copy_kernel(const Bucket& bucket) const {
    Kernel kernel = request_.kernels.streaming("fusion buffer copy", bucket.bytes * 2);
    kernel.time = fusion_copy_time(request_, plan_, bucket);
    return kernel;
  }

  Program& program_;
  const StepRequest& request_;
  StepBuilder build_;
  HorovodPlan plan_;
  std::map<std::size_t, std::size_t> response_of_;  // by the tensor that completes it
  StreamId thread_ = 0;
  OpId computed_ = no_id;  // the kernel that completed the latest response
  OpId reduced_ = no_id;   // the end of the latest response
  DeviceLane lane_;
};

}  // namespace

Program plan_horovod(const StepRequest& request) {
  if (request.devices < 2) return plan_single_device(request);
  Program program;
  HorovodStep(program, request).run();
  return program;
}

}  // namespace paceline
