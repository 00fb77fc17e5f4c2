#include "sim/plan/step_builder.h"

#include <algorithm>
#include <cmath>

namespace paceline {

StepBuilder::StepBuilder(Program& program, const StepRequest& request, int ranks)
    : program_(program),
      request_(request),
      ranks_(ranks),
      links_(request.collectives, ranks, request.devices_per_node) {}

DeviceLane StepBuilder::add_device(const ProgramRank& rank, int batch, StreamId host) {
  DeviceLane lane;
  lane.batch = batch;
  lane.rank = program_.add_rank(rank);
  lane.host = host == no_id ? program_.add_stream({lane.rank, StreamKind::host, "python"}) : host;
  lane.compute = program_.add_stream({lane.rank, StreamKind::compute, "stream 7 (compute)"});
  lane.communication = program_.add_stream({lane.rank, StreamKind::communication, "stream 20 (NCCL)"});
  lane.copy = program_.add_stream({lane.rank, StreamKind::copy, "stream 21 (copy)"});
  lane.links = links_.add(program_, lane.rank);
  return lane;
}

OpId StepBuilder::append(Operation operation, const std::string& name, const std::string& phase,
                         std::span<const OpId> after) {
  operation.name = program_.strings.intern(name);
  operation.phase = program_.phase(phase);
  return program_.add_operation(operation, after);
}

OpId StepBuilder::host(StreamId stream, const std::string& name, const std::string& phase, Seconds duration,
                       std::span<const OpId> after) {
  Operation operation;
  operation.stream = stream;
  operation.family = Family::host;
  operation.seconds = duration.value();
  return append(operation, name, phase, after);
}

OpId StepBuilder::compute(DeviceLane& lane, const Kernel& kernel, const std::string& phase, double scale,
                          std::span<const OpId> after) {
  Operation operation;
  operation.stream = lane.compute;
  operation.family = Family::kernel;
  operation.seconds = kernel.time.value() * scale;
  operation.provenance = scale == 1 ? kernel.provenance : Provenance::interpolated;
  lane.last_compute = append(operation, kernel.name, phase, after);
  return lane.last_compute;
}

OpId StepBuilder::compute_beside(DeviceLane& lane, const Kernel& kernel, const std::string& phase,
                                 std::span<const OpId> after) {
  Operation operation;
  operation.stream = lane.communication;
  operation.family = Family::kernel;
  operation.seconds = kernel.time.value();
  operation.provenance = kernel.provenance;
  return append(operation, kernel.name, phase, after);
}

OpId StepBuilder::communicate(DeviceLane& lane, StreamId stream, CommunicationId communication,
                              const std::string& name, const std::string& phase,
                              std::span<const OpId> after) {
  Operation operation;
  operation.stream = stream;
  operation.kind = OpKind::communication;
  const bool is_copy = program_.communications[communication].kind == CommunicationKind::copy;
  operation.family = is_copy ? Family::copy : Family::communication;
  operation.communication = communication;
  const OpId op = append(operation, name, phase, after);
  if (stream == lane.compute) lane.last_compute = op;
  return op;
}

void StepBuilder::prefetch_input(DeviceLane& lane) {
  const CommunicationId copy = add_host_copy(lane, Bytes(request_.model.input_bytes) * lane.batch);
  communicate(lane, lane.copy, copy, "Memcpy HtoD (next batch)", "input");
}

Bytes StepBuilder::saved_bytes(const Layer& layer, int batch) const {
  const double element = element_bytes(request_.kernels.settings().precision);
  return Bytes(batch * (layer.saved_elements * element + layer.saved_bytes) + layer.saved_bytes_per_call);
}

void StepBuilder::forward(std::vector<DeviceLane*> lanes, StreamId host_stream, double replicas,
                          std::span<const OpId> after, const std::function<bool(const Layer&)>& include) {
  std::vector<OpId> first(after.begin(), after.end());
  const HostRules& rules = request_.framework.host;
  for (const Layer& layer : request_.model.layers) {
    if (include && !include(layer)) continue;
    const int operators = request_.kernels.forward(layer, 1).operators;
    std::vector<OpId> launched = first;
    if (operators > 0)
      launched.push_back(
          host(host_stream, layer.name, "forward", rules.forward_operator * (operators * replicas)));
    for (DeviceLane* lane : lanes) {
      if (operators > 0) lane->last_host = launched.back();
      std::span<const OpId> wait = launched;
      for (const Kernel& kernel : request_.kernels.forward(layer, lane->batch).kernels) {
        compute(*lane, kernel, "forward", request_.scale.forward, wait);
        wait = {};
        first.clear();
      }
      hold(*lane, MemoryCause::activations, saved_bytes(layer, lane->batch), lane->last_compute, true);
    }
  }
}

void StepBuilder::backward(DeviceLane& lane, std::span<const OpId> after,
                           const std::function<bool(const Layer&)>& include,
                           const std::function<void(const Layer&)>& layer_done) {
  std::vector<OpId> first(after.begin(), after.end());
  const auto& layers = request_.model.layers;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    if (include && !include(*layer)) continue;
    const LayerCost cost = request_.kernels.backward(*layer, lane.batch);
    std::vector<OpId> launched = first;
    if (cost.operators > 0) {
      // The first launch follows the last one of forward, which another thread may have made.
      std::vector<OpId> returned;
      if (lane.last_host != no_id && program_.operations[lane.last_host].stream != lane.host)
        returned.push_back(lane.last_host);
      launched.push_back(host(lane.host, layer->name + " backward", "backward",
                              request_.framework.host.backward_operator * cost.operators, returned));
      lane.last_host = launched.back();
    }
    std::span<const OpId> wait = launched;
    for (const Kernel& kernel : cost.kernels) {
      compute(lane, kernel, "backward", request_.scale.backward, wait);
      wait = {};
      first.clear();
    }
    hold(lane, MemoryCause::activations, -saved_bytes(*layer, lane.batch), lane.last_compute, true);
    if (layer_done) layer_done(*layer);
  }
}

OpId StepBuilder::optimizer(DeviceLane& lane, std::span<const OpId> after) {
  std::vector<OpId> wait(after.begin(), after.end());
  const auto tensors = static_cast<double>(request_.model.parameters.size());
  wait.push_back(
      host(lane.host, "optimizer.step", "optimizer", request_.framework.host.optimizer_tensor * tensors));
  return compute(lane, request_.kernels.optimizer(request_.model, request_.strategy.optimizer), "optimizer",
                 request_.scale.optimizer, wait);
}

void StepBuilder::cast_weights(DeviceLane& lane) {
  if (const auto casts = request_.kernels.weight_casts(request_.model)) compute(lane, *casts, "forward", 1);
}

void StepBuilder::local_micro_batches(DeviceLane& lane, int count) {
  if (count < 1) return;
  const ComputeTime time = compute_time(request_, lane.batch);
  Seconds device = time.forward + time.backward + request_.kernels.accumulation(request_.model).time;
  if (const auto casts = request_.kernels.weight_casts(request_.model)) device += casts->time;
  const HostRules& rules = request_.framework.host;
  const Seconds launch =
      rules.forward_operator * time.forward_operators + rules.backward_operator * time.backward_operators;
  const std::string name = "micro-batches without synchronisation";
  host(lane.host, name, "forward", launch * count);
  // The device cannot run ahead of its host: the longer of the two sets the pace. All forwards are drawn as
  // one slice and all backwards as one, in proportion to their compute.
  const Seconds all = std::max(device, launch) * count;
  const double forward = time.forward / (time.forward + time.backward);
  Kernel kernel = request_.kernels.streaming(name + ", forward", Bytes(0));
  kernel.time = all * forward;
  compute(lane, kernel, "forward", 1);
  kernel.name = name + ", backward";
  kernel.time = all * (1 - forward);
  compute(lane, kernel, "backward", 1);
}

void StepBuilder::hold(const DeviceLane& lane, MemoryCause cause, Bytes bytes, OpId op, bool at_end) {
  if (bytes.value() != 0) program_.memory.push_back({op, lane.rank, at_end, cause, bytes});
}

Bytes StepBuilder::parameter_bytes() const {
  return Bytes(4 * static_cast<double>(request_.model.parameter_count()));
}

// The caching allocator hands out multiples of 512 B.
Bytes StepBuilder::rounding_bytes() const {
  constexpr double block = 512;
  double lost = 0;
  for (const Parameter& parameter : request_.model.parameters) {
    const double bytes = 4 * static_cast<double>(parameter.elements);
    lost += std::ceil(bytes / block) * block - bytes;
  }
  return Bytes(lost);
}

void StepBuilder::hold_state(const DeviceLane& lane, bool with_optimizer, bool with_communicator) {
  const Framework& framework = request_.framework;
  const Model& model = request_.model;
  const auto count = static_cast<double>(model.parameter_count());
  hold(lane, MemoryCause::parameters, parameter_bytes());
  if (is_mixed(request_.kernels.settings().precision))
    hold(lane, MemoryCause::parameters, Bytes(2 * count));  // autocast keeps the 16-bit copies for the step
  hold(lane, MemoryCause::buffers, Bytes(4 * model.buffer_float_elements + 8 * model.buffer_integer_count));
  double copies = 1;
  if (with_optimizer) {
    const Bytes state = optimizer_state_per_parameter(request_.strategy.optimizer) * count;
    hold(lane, MemoryCause::optimizer, state);
    copies += 1 + state / parameter_bytes();
    if (!framework.gradients_released) hold(lane, MemoryCause::gradients, parameter_bytes());
  }
  hold(lane, MemoryCause::allocator, rounding_bytes() * copies);
  hold(lane, MemoryCause::input, Bytes(model.input_bytes) * lane.batch);
  hold(lane, MemoryCause::context, framework.context);
  hold(lane, MemoryCause::workspace, framework.library_workspace);
  if (with_communicator) hold(lane, MemoryCause::workspace, framework.communicator);
}

}  // namespace paceline
