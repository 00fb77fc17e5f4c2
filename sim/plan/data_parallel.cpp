// torch.nn.DataParallel: one process, model and optimizer on device 0.
//
// Every forward scatters the batch, broadcasts all parameters in 10 MiB chunks, runs one Python thread a
// replica under the GIL, and gathers the outputs on device 0; the backward of the broadcast is one reduction
// of all gradients to device 0, which waits for every replica, so nothing overlaps. Device 0 alone steps the
// optimizer.
#include <fmt/format.h>

#include <algorithm>

#include "sim/plan/step_builder.h"
#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

class DataParallelStep {
 public:
  DataParallelStep(Program& program, const StepRequest& request)
      : program_(program),
        request_(request),
        parts_(scatter_batch(request.scattered_batch, request.devices)),
        replicas_(static_cast<int>(parts_.size())),
        build_(program, request, replicas_),
        // Classifiers return outputs for a loss on device 0; language models of common libraries compute it
        // inside.
        loss_inside_(
            request.strategy.loss_in_model.value_or(request.model.family != ModelFamily::convolutional)) {}

  void run() {
    add_ranks();
    hold_memory();
    for (int micro = 0; micro < request_.strategy.accumulation; ++micro) {
      const std::vector<OpId> returned = last_launches();
      const std::vector<OpId> inputs = scatter(returned);
      replicate(returned);
      for (DeviceLane* lane : all_) build_.cast_weights(*lane);
      build_.forward(all_, process_, static_cast<double>(replicas_), inputs, inside());
      gather();
      const std::vector<OpId> seeds = loss();
      for (DeviceLane* lane : all_) backward(*lane, seeds, micro == 0);
      reduce(micro == 0);
    }
    const OpId end = build_.optimizer(lead(), {});
    if (request_.framework.gradients_released)
      build_.hold(lead(), MemoryCause::gradients, -build_.parameter_bytes(), end, true);
    for (const DeviceLane* lane : followers()) {
      build_.hold(*lane, MemoryCause::parameters, -build_.parameter_bytes(), lane->last_compute, true);
    }
  }

 private:
  static std::string names_of(int first, int last) {
    return first == last ? fmt::format("GPU {}", first) : fmt::format("GPU {}-{}", first, last);
  }

  // Devices whose part of the batch is the same are one rank of the Program; device 0 always stands alone.
  void add_ranks() {
    const RankId host = program_.add_rank({"process 0", 0, 1, false});
    process_ = program_.add_stream({host, StreamKind::host, "python (GIL)"});
    lanes_.push_back(build_.add_device({"GPU 0", 0, 1, true}, parts_[0], no_id));
    for (int first = 1; first < replicas_;) {
      int last = first;
      while (last + 1 < replicas_ && parts_[index(last + 1)] == parts_[index(first)]) ++last;
      const auto count = static_cast<std::uint32_t>(last - first + 1);
      lanes_.push_back(
          build_.add_device({names_of(first, last), first, count, true}, parts_[index(first)], no_id));
      first = last + 1;
    }
    if (replicas_ < request_.devices) {  // fewer samples than devices leave the last ones idle
      const auto idle = static_cast<std::uint32_t>(request_.devices - replicas_);
      build_.add_device({names_of(replicas_, request_.devices - 1) + " (idle)", replicas_, idle, true}, 0,
                        no_id);
    }
    for (DeviceLane& lane : lanes_) all_.push_back(&lane);
  }

  void hold_memory() {
    build_.hold_state(lead(), true, replicas_ > 1);
    const double batch = request_.scattered_batch;
    const Bytes element(element_bytes(request_.kernels.settings().precision));
    const Bytes gathered = element * (request_.model.output_elements * batch);
    if (replicas_ > 1) build_.hold(lead(), MemoryCause::outputs, gathered);
    // The loss on device 0 keeps an intermediate of the outputs' size and makes their gradient.
    if (replicas_ > 1 && !loss_inside_) build_.hold(lead(), MemoryCause::outputs, gathered * 2);
    for (const DeviceLane* lane : followers()) build_.hold_state(*lane, false, true);
  }

  // Python comes back from backward when the threads of all devices have launched it.
  std::vector<OpId> last_launches() {
    std::vector<OpId> launches;
    for (const DeviceLane* lane : all_)
      if (lane->last_host != no_id) launches.push_back(lane->last_host);
    return launches;
  }

  std::vector<OpId> scatter(const std::vector<OpId>& after) {
    std::vector<OpId> inputs;
    for (DeviceLane& lane : lanes_) {
      const CommunicationId copy = build_.add_host_copy(lane, Bytes(request_.model.input_bytes) * lane.batch);
      inputs.push_back(build_.communicate(lane, lane.copy, copy, "Memcpy HtoD (scatter)", "scatter", after));
    }
    return inputs;
  }

  void replicate(const std::vector<OpId>& after) {
    if (replicas_ < 2) return;
    const Model& model = request_.model;
    const double objects = static_cast<double>(model.modules) + static_cast<double>(model.parameters.size());
    const OpId copied = build_.host(process_, "replicate (module copies)", "replicate",
                                    request_.framework.host.replicate_object * (objects * replicas_), after);
    const auto chunks = broadcast_chunks(model);
    for (const Bucket& chunk : chunks) {
      const Kernel flatten = request_.kernels.streaming("flatten chunk", chunk.bytes * 2);
      const OpId ready = build_.compute(lead(), flatten, "replicate", 1);
      collective(CollectiveKind::broadcast, chunk.bytes, "ncclDevKernel_Broadcast (parameters)", "replicate",
                 ready);
    }
    const Bytes buffers(4 * model.buffer_float_elements + 8 * model.buffer_integer_count);
    if (buffers.value() > 0)
      collective(CollectiveKind::broadcast, buffers, "ncclDevKernel_Broadcast (buffers)", "replicate",
                 copied);
  }

  void collective(CollectiveKind kind, Bytes bytes, const std::string& name, const std::string& phase,
                  OpId after, Seconds spread = {}) {
    const CommunicationId id = build_.add_collective(kind, bytes, all_, spread);
    for (DeviceLane* lane : all_)
      build_.communicate(*lane, lane->compute, id, name, phase, std::span(&after, 1));
  }

  // Outputs of the other devices to device 0, all through its own link.
  void gather() { move_outputs("gather outputs", "gather", true); }

  void move_outputs(const std::string& name, const std::string& phase, bool to_lead) {
    const double elements_per_sample = request_.model.output_elements;
    if (replicas_ < 2 || elements_per_sample == 0) return;
    double samples = 0;
    for (int replica = 1; replica < replicas_; ++replica) samples += parts_[index(replica)];
    const double element = element_bytes(request_.kernels.settings().precision);
    const Bytes bytes(samples * elements_per_sample * element);
    const CommunicationId id = build_.add_peer_copies(bytes, lead(), followers(), to_lead);
    for (DeviceLane* lane : all_)
      build_.communicate(*lane, lane->compute, id, "Memcpy PtoP (" + name + ")", phase);
  }

  // The loss on device 0 over the whole batch, and its gradient back to the replicas.
  std::vector<OpId> loss() {
    if (loss_inside_) return {lead().last_compute};
    DeviceLane whole = lead();
    whole.batch = request_.scattered_batch;
    const auto only_loss = [](const Layer& layer) { return is_loss(layer); };
    build_.forward({&whole}, process_, 1, {}, only_loss);
    build_.backward(whole, {}, only_loss);
    lead().last_compute = whole.last_compute;
    move_outputs("scatter output gradients", "backward", false);
    return {lead().last_compute};
  }

  std::function<bool(const Layer&)> inside() const {
    if (loss_inside_) return {};
    return [](const Layer& layer) { return !is_loss(layer); };
  }

  // Gradients of a replica live until they are reduced. Alone, the module is its own replica: its gradients
  // are .grad, made by the first micro-batch where they do not live between steps.
  void backward(DeviceLane& lane, const std::vector<OpId>& seeds, bool first) {
    const bool fresh = replicas_ > 1 || (first && request_.framework.gradients_released);
    build_.backward(lane, seeds, inside(), [&](const Layer& layer) {
      for (const std::size_t parameter : layer.parameters) {
        const Bytes bytes(4 * static_cast<double>(request_.model.parameters[parameter].elements));
        if (fresh) build_.hold(lane, MemoryCause::gradients, bytes, lane.last_compute, true);
      }
    });
  }

  // `first`: the sums become device 0's .grad; later micro-batches are added to them.
  void reduce(bool first) {
    const Bytes all = build_.parameter_bytes();
    if (replicas_ > 1) {
      const auto chunks = reduce_chunks(request_.model);
      Seconds spread = arrival_spread(request_, replicas_, lead().batch);
      for (const Bucket& chunk : chunks) {
        std::vector<OpId> flattened;
        for (DeviceLane* lane : all_) {
          const Kernel flatten = request_.kernels.streaming("flatten gradients", chunk.bytes * 2);
          flattened.push_back(build_.compute(*lane, flatten, "reduce", 1));
        }
        const CommunicationId id = build_.add_collective(CollectiveKind::reduce, chunk.bytes, all_, spread);
        for (DeviceLane* lane : all_)
          build_.communicate(*lane, lane->compute, id, "ncclDevKernel_Reduce (gradients)", "reduce",
                             flattened);
        spread = Seconds(0);
      }
      for (const DeviceLane* lane : followers())
        build_.hold(*lane, MemoryCause::gradients, -all, lane->last_compute, true);
      // Device 0 holds its replica's gradients and the sums while the chunks are reduced.
      if (request_.framework.gradients_released && first) {
        build_.hold(lead(), MemoryCause::gradients, all, lead().last_compute, false);
        build_.hold(lead(), MemoryCause::gradients, -all, lead().last_compute, true);
      } else {
        build_.hold(lead(), MemoryCause::gradients, -all, lead().last_compute, true);
      }
    }
    if (!first) build_.compute(lead(), request_.kernels.accumulation(request_.model), "reduce", 1);
  }

  DeviceLane& lead() { return lanes_.front(); }
  std::vector<DeviceLane*> followers() { return {all_.begin() + 1, all_.end()}; }
  static std::size_t index(int value) { return static_cast<std::size_t>(value); }

  Program& program_;
  const StepRequest& request_;
  std::vector<int> parts_;  // samples of each replica; fewer replicas than devices when there are few samples
  int replicas_;
  StepBuilder build_;
  bool loss_inside_;
  StreamId process_ = 0;
  std::vector<DeviceLane> lanes_;
  std::vector<DeviceLane*> all_;
};

}  // namespace

Program plan_data_parallel(const StepRequest& request) {
  require_one_node(request);
  Program program;
  DataParallelStep(program, request).run();
  return program;
}

}  // namespace paceline
