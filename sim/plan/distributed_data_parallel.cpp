// DistributedDataParallel: every rank computes its own batch; gradients are averaged in buckets while
// backward runs.
//
// Order as in PyTorch's reducer: a gradient is copied into its bucket when it is ready; a bucket's all-reduce
// is launched when the bucket and all earlier ones are complete, by the communication hook if there is one;
// after backward, bucket by bucket, the compute stream waits for the all-reduce and copies the averages back.
#include <algorithm>
#include <map>

#include "sim/cost/gradient_hook.h"
#include "sim/plan/step_builder.h"
#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

class DdpStep {
 public:
  DdpStep(Program& program, const StepRequest& request)
      : request_(request),
        build_(program, request),
        engine_(request.framework.gradients),
        element_(engine_.half_gradients && is_mixed(request.kernels.settings().precision) ? 2 : 4),
        overlap_(request.strategy.overlap.value_or(engine_.overlap)) {
    const Bytes first = request.strategy.first_bucket.value_or(engine_.first_bucket);
    const Bytes cap = request.strategy.bucket_cap.value_or(engine_.bucket_cap);
    buckets_ = gradient_buckets(request.model, !rebuilds_buckets(request.strategy), first, cap, element_);
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      hooks_.push_back(hook_work(request, buckets_[bucket], element_));
      for (const std::size_t parameter : buckets_[bucket].parameters) bucket_of_[parameter] = bucket;
    }
  }

  void run() {
    const auto ranks = static_cast<std::uint32_t>(request_.devices);
    const std::string name = ranks == 1 ? "rank 0" : "rank 0-" + std::to_string(ranks - 1);
    lane_ = build_.add_device({name, 0, ranks, true}, request_.batch_per_device, no_id);
    hold_memory();
    const int synchronised =
        request_.strategy.synchronise_every_micro_batch ? request_.strategy.accumulation : 1;
    build_.local_micro_batches(lane_, request_.strategy.accumulation - synchronised);
    build_.prefetch_input(lane_);
    for (int index = 0; index < synchronised; ++index) micro_batch(index == 0);
    const OpId end = build_.optimizer(lane_, {});
    if (request_.framework.gradients_released)
      build_.hold(lane_, MemoryCause::gradients, -held_gradients_, end, true);
  }

 private:
  void micro_batch(bool first) {
    launched_ = 0;
    pending_.clear();
    for (const Bucket& bucket : buckets_) pending_.push_back(bucket.parameters.size());
    copied_.assign(buckets_.size(), no_id);
    reduced_.assign(buckets_.size(), no_id);
    const std::vector<OpId> buffers = before_forward(first);
    build_.cast_weights(lane_);
    build_.forward({&lane_}, lane_.host, 1, buffers);
    build_.backward(lane_, {}, {}, [&](const Layer& layer) { layer_done(layer, first); });
    if (request_.strategy.accumulation > 1)
      build_.compute(lane_, request_.kernels.accumulation(request_.model), "backward",
                     request_.scale.backward);
    launch_complete(true);
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) copy_back(bucket);
  }

  void hold_memory() {
    build_.hold_state(lane_, true, request_.devices > 1);
    Bytes bytes;
    for (const Bucket& bucket : buckets_) bytes += bucket.bytes;
    for (const HookWork& hook : hooks_) bytes += hook.kept;
    build_.hold(lane_, MemoryCause::buckets, bytes);
  }

  // For models with running statistics: rank 0's broadcast of them, which forward waits for.
  std::vector<OpId> before_forward(bool first) {
    std::vector<OpId> wait, after;
    if (!first) after.push_back(lane_.last_compute);
    if (request_.devices < 2 || !request_.strategy.broadcast_buffers) return wait;
    for (const Bytes bytes : buffer_broadcasts(request_.model, engine_.buffer_broadcast_limit)) {
      const CommunicationId id = build_.add_collective(CollectiveKind::broadcast, bytes, {&lane_});
      wait.push_back(build_.communicate(lane_, lane_.communication, id, "ncclDevKernel_Broadcast (buffers)",
                                        "forward", after));
    }
    return wait;
  }

  Kernel copy_kernel(const std::string& name, Bytes bytes, double tensors) const {
    Kernel kernel = request_.kernels.streaming(name, bytes * 2);
    kernel.time = bytes * 2 / request_.kernels.bandwidth() + engine_.per_tensor * (tensors / 2);
    return kernel;
  }

  void layer_done(const Layer& layer, bool first) {
    for (const std::size_t parameter : layer.parameters) {
      const std::size_t bucket = bucket_of_.at(parameter);
      const Bytes bytes(element_ * static_cast<double>(request_.model.parameters[parameter].elements));
      if (first && !request_.strategy.gradient_as_bucket_view) hold_gradient(bytes);
      copied_[bucket] = build_.compute(lane_, copy_kernel("gradient to bucket", bytes, 1), "backward", 1);
      if (--pending_[bucket] == 0 && overlap_) launch_complete(false);
    }
  }

  void hold_gradient(Bytes bytes) {
    if (!request_.framework.gradients_released) return;
    build_.hold(lane_, MemoryCause::gradients, bytes, lane_.last_compute, true);
    held_gradients_ += bytes;
  }

  // Launches, in index order, every bucket that is complete; without overlap all of them after backward.
  void launch_complete(bool backward_done) {
    while (launched_ < buckets_.size() && pending_[launched_] == 0) {
      reduce(launched_, backward_done ? lane_.last_compute : copied_[launched_]);
      ++launched_;
    }
  }

  // What the hook does with the bucket, one after the other.
  void reduce(std::size_t bucket, OpId last) {
    const HookWork& hook = hooks_[bucket];
    if (hook.before) last = build_.compute(lane_, *hook.before, "backward", 1);
    build_.hold(lane_, MemoryCause::buckets, hook.borrowed, last);
    const bool is_last = bucket + 1 == buckets_.size();
    Seconds spread = is_last ? arrival_spread(request_, request_.devices, lane_.batch) : Seconds(0);
    for (const HookPart& part : hook.parts) {
      if (request_.devices > 1) {
        const CommunicationId id =
            build_.add_collective(CollectiveKind::all_reduce, part.message, {&lane_}, spread);
        last = build_.communicate(lane_, lane_.communication, id, all_reduce_name(), "backward",
                                  std::span(&last, 1));
        reduced_[bucket] = last;
      }
      spread = Seconds(0);
      if (!part.after) continue;
      last = build_.compute_beside(lane_, *part.after, "backward", std::span(&last, 1));
      reduced_[bucket] = last;
    }
    build_.hold(lane_, MemoryCause::buckets, -hook.borrowed, last, true);
  }

  [[nodiscard]] std::string all_reduce_name() const {
    if (request_.strategy.hook == GradientHook::fp16) return "ncclDevKernel_AllReduce_Sum_f16";
    if (request_.strategy.hook == GradientHook::bf16) return "ncclDevKernel_AllReduce_Sum_bf16";
    return "ncclDevKernel_AllReduce_Sum_f32";
  }

  void copy_back(std::size_t bucket) {
    const bool view = request_.strategy.gradient_as_bucket_view;
    const auto tensors = static_cast<double>(buckets_[bucket].parameters.size());
    Kernel kernel = copy_kernel("bucket to gradient", buckets_[bucket].bytes, tensors);
    if (view) kernel.time = Seconds(0);  // the gradient is the bucket's slot; only the wait remains
    std::vector<OpId> after;
    if (reduced_[bucket] != no_id) after.push_back(reduced_[bucket]);
    if (!view || !after.empty()) build_.compute(lane_, kernel, "backward", 1, after);
  }

  const StepRequest& request_;
  StepBuilder build_;
  GradientEngine engine_;
  double element_;
  bool overlap_;
  std::vector<Bucket> buckets_;
  std::vector<HookWork> hooks_;
  std::map<std::size_t, std::size_t> bucket_of_;
  std::vector<std::size_t> pending_;
  std::vector<OpId> copied_, reduced_;
  std::size_t launched_ = 0;
  Bytes held_gradients_;
  DeviceLane lane_;
};

}  // namespace

Program plan_distributed_data_parallel(const StepRequest& request) {
  Program program;
  DdpStep(program, request).run();
  return program;
}

}  // namespace paceline
