#include "sim/analytic/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

struct Parts {
  ComputeTime compute;
  Seconds casts, accumulation, optimizer, input, host_forward, host_backward, host_optimizer;
};

Parts parts_of(const StepRequest& request, int batch) {
  Parts parts;
  const KernelCost& kernels = request.kernels;
  const HostRules& host = request.framework.host;
  parts.compute = compute_time(request, batch);
  if (const auto casts = kernels.weight_casts(request.model)) parts.casts = casts->time;
  if (request.strategy.accumulation > 1) parts.accumulation = kernels.accumulation(request.model).time;
  parts.optimizer =
      kernels.optimizer(request.model, request.strategy.optimizer).time * request.scale.optimizer;
  parts.input = request.collectives.host_copy(Bytes(request.model.input_bytes) * batch).total();
  parts.host_forward = host.forward_operator * parts.compute.forward_operators;
  parts.host_backward = host.backward_operator * parts.compute.backward_operators;
  parts.host_optimizer = host.optimizer_tensor * static_cast<double>(request.model.parameters.size());
  return parts;
}

// All micro-batches but the last, without synchronisation: the longer of device and host.
Seconds earlier_micro_batches(const StepRequest& request, const Parts& parts) {
  const int count = request.strategy.accumulation - 1;
  if (count < 1) return Seconds(0);
  const Seconds device = parts.compute.forward + parts.compute.backward + parts.casts +
                         request.kernels.accumulation(request.model).time;
  return std::max(device, parts.host_forward + parts.host_backward) * count;
}

Seconds last_micro_batch(const Parts& parts) {
  const Seconds device = parts.compute.forward + parts.compute.backward + parts.casts;
  return std::max(device, parts.host_forward + parts.host_backward) + parts.accumulation;
}

Estimate single_device(const StepRequest& request) {
  const Parts parts = parts_of(request, request.batch_per_device);
  Estimate result;
  result.compute = (parts.compute.forward + parts.compute.backward) * request.strategy.accumulation;
  result.optimizer = parts.optimizer;
  result.step = earlier_micro_batches(request, parts) + last_micro_batch(parts) + parts.optimizer;
  return result;
}

// Bucket by bucket: ready when backward and its copies have come that far, then e_i = max(ready_i, e_(i-1)) +
// a_i. Compute that an all-reduce slows down takes correspondingly longer.
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
    const Parts parts = parts_of(request_, request_.batch_per_device);
    const Seconds backward_end = walk_backward(parts);
    Seconds end = reduce(backward_end);
    Estimate result;
    result.communication = communication_;
    result.compute = (parts.compute.forward + parts.compute.backward) * request_.strategy.accumulation;
    result.optimizer = parts.optimizer;
    const Seconds forward =
        std::max(parts.compute.forward + parts.casts + broadcast_buffers(), parts.host_forward);
    result.step = earlier_micro_batches(request_, parts) + forward + end + parts.optimizer;
    Seconds copies;
    for (const Bucket& bucket : buckets_) copies += copy_back(bucket);
    result.exposed_communication = std::max(Seconds(0), end - backward_end_alone_ - copies);
    return result;
  }

 private:
  Seconds copy_time(Bytes bytes, double tensors) const {
    return bytes * 2 / request_.kernels.bandwidth() + engine_.per_tensor * (tensors / 2);
  }
  Seconds copy_back(const Bucket& bucket) const {
    if (request_.strategy.gradient_as_bucket_view) return Seconds(0);
    return copy_time(bucket.bytes, static_cast<double>(bucket.parameters.size()));
  }

  CollectiveTime all_reduce(Bytes bytes) const {
    return request_.collectives.collective(CollectiveKind::all_reduce, bytes,
                                           {request_.devices, request_.devices_per_node});
  }

  Seconds broadcast_buffers() const {
    Seconds sum;
    if (request_.devices < 2 || !request_.strategy.broadcast_buffers) return sum;
    const Model& model = request_.model;
    for (const double bytes : {4 * model.buffer_float_elements, 8 * model.buffer_integer_count}) {
      if (bytes == 0) continue;
      sum += request_.collectives
                 .collective(CollectiveKind::broadcast, Bytes(bytes),
                             {request_.devices, request_.devices_per_node})
                 .total();
    }
    return sum;
  }

  // Ready times of the buckets from the start of backward, communication left out.
  Seconds walk_backward(const Parts& parts) {
    ready_.assign(buckets_.size(), Seconds(0));
    Seconds now, host;
    for (auto layer = request_.model.layers.rbegin(); layer != request_.model.layers.rend(); ++layer) {
      const LayerCost cost = request_.kernels.backward(*layer, request_.batch_per_device);
      host += request_.framework.host.backward_operator * cost.operators;
      now = std::max(now, host) + total_time(cost) * request_.scale.backward;
      for (const std::size_t parameter : layer->parameters) {
        now += copy_time(Bytes(element_ * static_cast<double>(request_.model.parameters[parameter].elements)),
                         1);
        ready_[bucket_of_.at(parameter)] = now;
      }
    }
    backward_end_alone_ = now + parts.accumulation;
    return backward_end_alone_;
  }

  // When the last bucket has been copied back, from the start of backward.
  Seconds reduce(Seconds backward_end) {
    Seconds free, delay;  // delay: by how much earlier all-reduces have slowed backward down
    std::vector<Seconds> done(buckets_.size());
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      Seconds ready = (overlap_ ? ready_[bucket] : backward_end) + delay;
      const bool last = bucket + 1 == buckets_.size();
      const CollectiveTime time = all_reduce(buckets_[bucket].bytes);
      Seconds start = std::max(ready, free);
      if (last && request_.devices > 1)
        start += arrival_spread(request_, request_.devices, request_.batch_per_device);
      if (request_.devices > 1) free = start + time.total();
      communication_ += time.total();
      const Seconds beside = std::clamp(backward_end + delay - start, Seconds(0), time.total());
      delay += beside * time.compute_slowdown;
      done[bucket] = request_.devices > 1 ? free : ready;
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
  Seconds communication_, backward_end_alone_;
};

Seconds chunked(const StepRequest& request, CollectiveKind kind, const std::vector<Bucket>& chunks,
                int replicas, Seconds& communication) {
  Seconds sum;
  for (const Bucket& chunk : chunks) {
    const Seconds time =
        request.collectives.collective(kind, chunk.bytes, {replicas, request.devices_per_node}).total();
    sum += request.kernels.streaming("", chunk.bytes * 2).time + time;
    communication += time;
  }
  return replicas > 1 ? sum : Seconds(0);
}

// nn.DataParallel: everything in a row on device 0.
Estimate data_parallel(const StepRequest& request) {
  require_one_node(request);
  const auto parts_of_batch = scatter_batch(request.scattered_batch, request.devices);
  const int replicas = static_cast<int>(parts_of_batch.size());
  const Parts parts = parts_of(request, parts_of_batch.front());
  const Model& model = request.model;
  Estimate result;
  Seconds replicate =
      chunked(request, CollectiveKind::broadcast, broadcast_chunks(model), replicas, result.communication);
  Seconds reduce =
      chunked(request, CollectiveKind::reduce, reduce_chunks(model), replicas, result.communication);
  const Bytes buffers(4 * model.buffer_float_elements + 8 * model.buffer_integer_count);
  const double objects = static_cast<double>(model.modules) + static_cast<double>(model.parameters.size());
  Seconds replicate_host, gather;
  if (replicas > 1) {
    replicate_host = request.framework.host.replicate_object * (objects * replicas);
    if (buffers.value() > 0)
      replicate +=
          request.collectives
              .collective(CollectiveKind::broadcast, buffers, {replicas, request.devices_per_node})
              .total();
    reduce += arrival_spread(request, replicas, parts_of_batch.front());
    const double samples = request.scattered_batch - parts_of_batch.front();
    const Bytes outputs(samples * model.output_elements *
                        element_bytes(request.kernels.settings().precision));
    const CollectiveTime copy = request.collectives.peer_copy(outputs, replicas);
    gather = copy.total() + copy.latency * (replicas - 2);
    // With the loss on device 0, the gradient of the outputs goes back the same way.
    if (!request.strategy.loss_in_model.value_or(model.family != ModelFamily::convolutional))
      gather = gather * 2;
  }
  const Seconds forward =
      std::max(std::max(std::max(replicate, replicate_host), parts.input) + parts.compute.forward,
               replicate_host + parts.host_forward * replicas);
  const Seconds backward = std::max(parts.compute.backward, parts.host_backward);
  const int times = request.strategy.accumulation;
  result.compute = (parts.compute.forward + parts.compute.backward) * times;
  result.optimizer = parts.optimizer;
  result.exposed_communication = (replicate + reduce + gather) * times;
  result.step = (forward + backward + gather + reduce + parts.casts) * times +
                parts.accumulation * (times - 1) + parts.optimizer;
  return result;
}

}  // namespace

Estimate estimate(const StepRequest& request) {
  switch (request.strategy.kind) {
    case StrategyKind::single:
      return single_device(request);
    case StrategyKind::data_parallel:
      return data_parallel(request);
    case StrategyKind::distributed_data_parallel:
      return DdpRecurrence(request).run();
  }
  return single_device(request);
}

}  // namespace paceline
