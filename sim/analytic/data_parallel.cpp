// nn.DataParallel: everything in a row on device 0, and one Python thread that launches all forwards.
#include <algorithm>

#include "sim/analytic/step_clock.h"
#include "sim/analytic/strategies.h"
#include "sim/cost/host_slot.h"
#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

class DataParallelSum {
 public:
  explicit DataParallelSum(const StepRequest& request)
      : request_(request),
        parts_(scatter_batch(request.scattered_batch, request.devices)),
        replicas_(static_cast<int>(parts_.size())),
        loss_inside_(
            request.strategy.loss_in_model.value_or(request.model.family != ModelFamily::convolutional)) {
    if (!loss_inside_) inside_ = [](const Layer& layer) { return !is_loss(layer); };
  }

  Estimate run() {
    for (int micro = 0; micro < request_.strategy.accumulation; ++micro) {
      forward();
      if (!loss_inside_) loss();
      backward();
      if (micro > 0) clock_.device += request_.kernels.accumulation(request_.model).time;
    }
    const ComputeTime compute = compute_time(request_, parts_.front());
    result_.compute = (compute.forward + compute.backward) * request_.strategy.accumulation;
    result_.optimizer = optimizer_time(request_);
    result_.exposed_communication = result_.communication;
    result_.step = end_of_step(request_, clock_);
    return result_;
  }

 private:
  void communicate(Seconds time) {
    clock_.device += time;
    result_.communication += time;
  }
  [[nodiscard]] Seconds collective(CollectiveKind kind, Bytes bytes) const {
    return request_.collectives.collective(kind, bytes, {replicas_, request_.devices_per_node}).total();
  }
  void chunks(CollectiveKind kind, const std::vector<Bucket>& list) {
    if (replicas_ < 2) return;
    for (const Bucket& chunk : list) {
      clock_.device += request_.kernels.streaming("", chunk.bytes * 2).time;
      communicate(collective(kind, chunk.bytes));
    }
  }

  void forward() {
    const Model& model = request_.model;
    const Seconds input =
        clock_.host +
        host_copies_time(request_.collectives, Bytes(model.input_bytes) * parts_.front(), replicas_);
    chunks(CollectiveKind::broadcast, broadcast_chunks(model));
    if (replicas_ > 1) {
      const double objects =
          static_cast<double>(model.modules) + static_cast<double>(model.parameters.size());
      clock_.host += request_.framework.host.replicate_object * (objects * replicas_);
      const Bytes buffers(4 * model.buffer_float_elements + 8 * model.buffer_integer_count);
      if (buffers.value() > 0) {
        clock_.device = std::max(clock_.device, clock_.host);  // the buffers go when the modules are copied
        communicate(collective(CollectiveKind::broadcast, buffers));
      }
    }
    clock_.device = std::max(clock_.device + weight_casts_time(request_), input);
    walk_forward(request_, parts_.front(), replicas_, inside_, clock_);
    move_outputs();
  }

  // Over the whole batch on device 0; the gradient of the outputs goes back the way they came.
  void loss() {
    walk_forward(request_, request_.scattered_batch, 1, is_loss, clock_);
    walk_backward(request_, request_.scattered_batch, is_loss, clock_);
    move_outputs();
  }

  void move_outputs() {
    const double elements = request_.model.output_elements;
    if (replicas_ < 2 || elements == 0) return;
    const double samples = request_.scattered_batch - parts_.front();
    const Bytes bytes(samples * elements * element_bytes(request_.kernels.settings().precision));
    const CollectiveTime copy = request_.collectives.peer_copy(bytes, replicas_);
    communicate(copy.total() + copy.latency * (replicas_ - 2));
  }

  void backward() {
    walk_backward(request_, parts_.front(), inside_, clock_);
    clock_.device += replicas_ > 1 ? arrival_spread(request_, replicas_, parts_.front()) : Seconds(0);
    chunks(CollectiveKind::reduce, reduce_chunks(request_.model));
  }

  const StepRequest& request_;
  std::vector<int> parts_;
  int replicas_;
  bool loss_inside_;
  LayerFilter inside_;
  StepClock clock_;
  Estimate result_;
};

}  // namespace

Estimate estimate_data_parallel(const StepRequest& request) {
  require_one_node(request);
  return DataParallelSum(request).run();
}

}  // namespace paceline
