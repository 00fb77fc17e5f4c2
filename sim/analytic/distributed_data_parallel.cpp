// DistributedDataParallel, bucket by bucket: ready when backward and its copies have come that far, then
// e_i = max(ready_i, e_(i-1)) + a_i. Compute that an all-reduce slows down takes correspondingly longer.
#include <algorithm>
#include <map>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/cost/gradient_hook.h"
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
        buckets_(gradient_buckets(request.model, !rebuilds_buckets(request.strategy),
                                  request.strategy.first_bucket.value_or(engine_.first_bucket),
                                  request.strategy.bucket_cap.value_or(engine_.bucket_cap), element_)) {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      hooks_.push_back(hook_work(request, buckets_[bucket], element_));
      for (const std::size_t parameter : buckets_[bucket].parameters) bucket_of_[parameter] = bucket;
    }
  }

  Estimate run() {
    const int accumulation = request_.strategy.accumulation;
    const int synchronised = request_.strategy.synchronise_every_micro_batch ? accumulation : 1;
    StepClock clock = after_local_micro_batches(request_, accumulation - synchronised);
    for (int index = 0; index < synchronised; ++index)
      micro_batch(clock, index == 0 ? Seconds(0) : clock.device);
    const ComputeTime compute = compute_time(request_, request_.batch_per_device);
    Estimate result;
    result.compute = (compute.forward + compute.backward) * accumulation;
    result.optimizer = optimizer_time(request_);
    result.communication = communication_;
    result.exposed_communication = exposed_;
    result.step = end_of_step(request_, clock);
    return result;
  }

 private:
  // `begin`: from when the running statistics can be broadcast.
  void micro_batch(StepClock& clock, Seconds begin) {
    clock.device = std::max(clock.device + weight_casts_time(request_), begin + broadcast_buffers());
    walk_forward(request_, request_.batch_per_device, 1, {}, clock);
    backward(clock);
    const Seconds alone = clock.device;
    Seconds copies;
    for (const Bucket& bucket : buckets_) copies += copy_back(bucket);
    clock.device = reduce(alone);
    exposed_ += std::max(Seconds(0), clock.device - alone - copies);
  }

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

  // When each bucket is launched, communication left out.
  void backward(StepClock& clock) {
    launched_.clear();
    pending_.clear();
    for (const Bucket& bucket : buckets_) pending_.push_back(bucket.parameters.size());
    walk_backward(request_, request_.batch_per_device, {}, clock, [&](const Layer& layer) {
      for (const std::size_t parameter : layer.parameters) {
        const double elements = static_cast<double>(request_.model.parameters[parameter].elements);
        clock.device += copy_time(Bytes(element_ * elements), 1);
        if (--pending_[bucket_of_.at(parameter)] == 0 && overlap_) launch_complete(clock);
      }
    });
    if (request_.strategy.accumulation > 1)
      clock.device += request_.kernels.accumulation(request_.model).time * request_.scale.backward;
    launch_complete(clock);
  }

  void launch_complete(StepClock& clock) {
    while (launched_.size() < buckets_.size() && pending_[launched_.size()] == 0) {
      if (const auto& before = hooks_[launched_.size()].before) clock.device += before->time;
      launched_.push_back(clock.device);
    }
  }

  // When the last bucket has been copied back.
  Seconds reduce(Seconds backward_end) {
    Seconds free, delay;  // delay: by how much earlier all-reduces have slowed backward down
    std::vector<Seconds> done(buckets_.size());
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      done[bucket] = std::max(launched_[bucket] + delay, free);
      if (bucket + 1 == buckets_.size())
        done[bucket] += arrival_spread(request_, request_.devices, request_.batch_per_device);
      for (const HookPart& part : hooks_[bucket].parts) {
        if (request_.devices > 1) delay += all_reduce(part.message, backward_end + delay, done[bucket]);
        if (part.after) done[bucket] += part.after->time;
      }
      free = done[bucket];
    }
    Seconds end = backward_end + delay;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
      end = std::max(end, done[bucket]) + copy_back(buckets_[bucket]);
    return end;
  }

  // Moves `now` on. Returns by how much backward ends later: it advances by 1 - slowdown a second meanwhile.
  Seconds all_reduce(Bytes message, Seconds backward_end, Seconds& now) {
    const CollectiveTime time = collective(CollectiveKind::all_reduce, message);
    const Seconds left = std::max(Seconds(0), backward_end - now);
    now += time.total();
    communication_ += time.total();
    const double speed = 1 - time.compute_slowdown;
    return std::min(time.total(), left / speed) * time.compute_slowdown;
  }

  const StepRequest& request_;
  GradientEngine engine_;
  double element_;
  bool overlap_;
  std::vector<Bucket> buckets_;
  std::map<std::size_t, std::size_t> bucket_of_;
  std::vector<HookWork> hooks_;
  std::vector<std::size_t> pending_;
  std::vector<Seconds> launched_;
  Seconds communication_, exposed_;
};

}  // namespace

Estimate estimate_distributed_data_parallel(const StepRequest& request) {
  return DdpRecurrence(request).run();
}

}  // namespace paceline
