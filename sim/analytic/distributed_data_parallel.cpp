// DistributedDataParallel, bucket by bucket: ready when backward and its copies have come that far, then
// e_i = max(ready_i, e_(i-1)) + a_i. Compute that an all-reduce slows down takes correspondingly longer.
#include <algorithm>
#include <map>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

class DdpRecurrence {
 public:
  explicit DdpRecurrence(const StepRequest& request)
      : request_(request),
        engine_(request.framework.gradients),
        element_(engine_.half_gradients && is_mixed(request.kernels.settings().precision) ? 2 : 4),
        overlap_(request.strategy.overlap.value_or(engine_.overlap)),
        buckets_(gradient_buckets(request.model, request.strategy.find_unused_parameters,
                                  request.strategy.first_bucket.value_or(engine_.first_bucket),
                                  request.strategy.bucket_cap.value_or(engine_.bucket_cap), element_)) {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
      for (const std::size_t parameter : buckets_[bucket].parameters) bucket_of_[parameter] = bucket;
  }

  Estimate run() {
    StepClock clock = after_local_micro_batches(request_);
    clock.device = std::max(clock.device + weight_casts_time(request_), broadcast_buffers());
    walk_forward(request_, request_.batch_per_device, 1, {}, clock);
    backward(clock);
    const Seconds alone = clock.device;
    Seconds copies;
    for (const Bucket& bucket : buckets_) copies += copy_back(bucket);
    clock.device = reduce(alone);
    const ComputeTime compute = compute_time(request_, request_.batch_per_device);
    Estimate result;
    result.compute = (compute.forward + compute.backward) * request_.strategy.accumulation;
    result.optimizer = optimizer_time(request_);
    result.communication = communication_;
    result.exposed_communication = std::max(Seconds(0), clock.device - alone - copies);
    result.step = end_of_step(request_, clock);
    return result;
  }

 private:
  [[nodiscard]] CollectiveTime collective(CollectiveKind kind, Bytes bytes) const {
    return request_.collectives.collective(kind, bytes, {request_.devices, request_.devices_per_node});
  }
  [[nodiscard]] Seconds copy_time(Bytes bytes, double tensors) const {
    return bytes * 2 / request_.kernels.bandwidth() + engine_.per_tensor * (tensors / 2);
  }
  [[nodiscard]] Seconds copy_back(const Bucket& bucket) const {
    if (request_.strategy.gradient_as_bucket_view) return Seconds(0);
    return copy_time(bucket.bytes, static_cast<double>(bucket.parameters.size()));
  }

  [[nodiscard]] Seconds broadcast_buffers() const {
    Seconds sum;
    if (!request_.strategy.broadcast_buffers) return sum;
    for (const Bytes bytes : buffer_broadcasts(request_.model, engine_.buffer_broadcast_limit))
      sum += collective(CollectiveKind::broadcast, bytes).total();
    return sum;
  }

  // Ready times of the buckets, communication left out.
  void backward(StepClock& clock) {
    ready_.assign(buckets_.size(), Seconds(0));
    walk_backward(request_, request_.batch_per_device, {}, clock, [&](const Layer& layer) {
      for (const std::size_t parameter : layer.parameters) {
        const double elements = static_cast<double>(request_.model.parameters[parameter].elements);
        clock.device += copy_time(Bytes(element_ * elements), 1);
        ready_[bucket_of_.at(parameter)] = clock.device;
      }
    });
    if (request_.strategy.accumulation > 1)
      clock.device += request_.kernels.accumulation(request_.model).time * request_.scale.backward;
  }

  // When the last bucket has been copied back.
  Seconds reduce(Seconds backward_end) {
    const bool alone = request_.devices < 2;
    Seconds free, delay;  // delay: by how much earlier all-reduces have slowed backward down
    std::vector<Seconds> done(buckets_.size());
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      const Seconds ready = (overlap_ ? ready_[bucket] : backward_end) + delay;
      done[bucket] = ready;
      if (alone) continue;
      const CollectiveTime time = collective(CollectiveKind::all_reduce, buckets_[bucket].bytes);
      Seconds start = std::max(ready, free);
      if (bucket + 1 == buckets_.size())
        start += arrival_spread(request_, request_.devices, request_.batch_per_device);
      free = done[bucket] = start + time.total();
      communication_ += time.total();
      // Backward advances by 1 - slowdown a second while the all-reduce runs beside it.
      const Seconds left = std::max(Seconds(0), backward_end + delay - start);
      const double speed = 1 - time.compute_slowdown;
      delay += std::min(time.total(), left / speed) * time.compute_slowdown;
    }
    Seconds end = backward_end + delay;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
      end = std::max(end, done[bucket]) + copy_back(buckets_[bucket]);
    return end;
  }

  const StepRequest& request_;
  GradientEngine engine_;
  double element_;
  bool overlap_;
  std::vector<Bucket> buckets_;
  std::map<std::size_t, std::size_t> bucket_of_;
  std::vector<Seconds> ready_;
  Seconds communication_;
};

}  // namespace

Estimate estimate_distributed_data_parallel(const StepRequest& request) {
  return DdpRecurrence(request).run();
}

}  // namespace paceline
