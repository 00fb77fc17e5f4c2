// Horovod, response by response: the background thread is free when the response before it is computed and
// takes its time to negotiate; b_i = max(b_(i-1), handed over_i, computed_(i-1)) + negotiation_i. Then
// e_i = max(b_i, computed_i, e_(i-1)) + copy in + a_i + copy out.
#include <algorithm>
#include <map>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/cost/gradient_times.h"

namespace paceline {
namespace {

class HorovodRecurrence {
 public:
  explicit HorovodRecurrence(const StepRequest& request) : request_(request), plan_(horovod_plan(request)) {}

  Estimate run() {
    StepClock clock = after_local_micro_batches(request_);
    clock.device += weight_casts_time(request_);
    walk_forward(request_, request_.batch_per_device, 1, {}, clock);
    backward(clock);
    const Seconds alone = clock.device;
    clock.device = reduce(alone);
    const ComputeTime compute = compute_time(request_, request_.batch_per_device);
    Estimate result;
    result.compute = (compute.forward + compute.backward) * request_.strategy.accumulation;
    result.optimizer = optimizer_time(request_);
    result.communication = communication_;
    result.exposed_communication = std::max(Seconds(0), clock.device - alone);
    result.step = end_of_step(request_, clock);
    return result;
  }

 private:
  void backward(StepClock& clock) {
    walk_backward(request_, request_.batch_per_device, {}, clock, [&](const Layer& layer) {
      for (const std::size_t parameter : layer.parameters) ready_[parameter] = clock;
    });
    if (request_.strategy.accumulation > 1)
      clock.device += request_.kernels.accumulation(request_.model).time * request_.scale.backward;
    if (plan_.overlap) return;
    for (auto& [parameter, time] : ready_) time = clock;
  }

  // When the last response has been copied out.
  Seconds reduce(Seconds backward_end) {
    Seconds thread, computed, end, delay;  // delay: by how much earlier all-reduces have slowed backward down
    for (const FusedResponse& response : plan_.responses) {
      const StepClock& ready = ready_.at(response.bucket.parameters.back());
      thread = std::max({thread, ready.host, computed}) + negotiation_time(request_, plan_, response);
      computed = ready.device + delay;
      const Seconds copy = fusion_copy_time(request_, plan_, response.bucket);
      const CollectiveTime time = request_.collectives.collective(
          CollectiveKind::all_reduce, response.bucket.bytes, {request_.devices, request_.devices_per_node});
      Seconds start = std::max({thread, computed, end}) + copy;
      if (&response == &plan_.responses.back())
        start += arrival_spread(request_, request_.devices, request_.batch_per_device);
      communication_ += time.total();
      end = start + time.total() + copy;
      const Seconds left = std::max(Seconds(0), backward_end + delay - start);
      const double speed = 1 - time.compute_slowdown;
      delay += std::min(time.total(), left / speed) * time.compute_slowdown;
    }
    return std::max(backward_end + delay, end);
  }

  const StepRequest& request_;
  HorovodPlan plan_;
  std::map<std::size_t, StepClock> ready_;
  Seconds communication_;
};

}  // namespace

Estimate estimate_horovod(const StepRequest& request) {
  if (request.devices < 2) return estimate_single_device(request);
  return HorovodRecurrence(request).run();
}

}  // namespace paceline
