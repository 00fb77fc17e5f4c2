// The parts that the steps of all data-parallel strategies share: forward, backward and optimizer of a rank.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/device_links.h"
#include "sim/plan/plan.h"

namespace paceline {

// A device rank (folded or not) and its streams.
struct DeviceLane {
  RankId rank = 0;
  StreamId compute = 0;
  StreamId communication = 0;
  StreamId copy = 0;  // copies between host and device
  StreamId host = 0;  // the thread that launches its backward and optimizer
  DeviceLinks links;
  int batch = 1;              // samples of a micro-batch
  OpId last_compute = no_id;  // last operation appended to the compute stream
  OpId last_host = no_id;     // last operation that a host thread did for it in forward or backward
};

class StepBuilder {
 public:
  // `ranks`: devices that take part, where fewer do than the request has.
  StepBuilder(Program& program, const StepRequest& request, int ranks);
  StepBuilder(Program& program, const StepRequest& request)
      : StepBuilder(program, request, request.devices) {}

  // A device rank with its streams and links. `host` = no_id gives it a host stream of its own.
  DeviceLane add_device(const ProgramRank& rank, int batch, StreamId host);

  OpId host(StreamId stream, const std::string& name, const std::string& phase, Seconds duration,
            std::span<const OpId> after = {});
  // Appends a kernel to the lane's compute stream.
  OpId compute(DeviceLane& lane, const Kernel& kernel, const std::string& phase, double scale,
               std::span<const OpId> after = {});
  // Appends a kernel to the lane's communication stream, where no compute waits for it.
  OpId compute_beside(DeviceLane& lane, const Kernel& kernel, const std::string& phase,
                      std::span<const OpId> after);
  // Adds the communication's part of one lane to one of its streams.
  OpId communicate(DeviceLane& lane, StreamId stream, CommunicationId communication, const std::string& name,
                   const std::string& phase, std::span<const OpId> after = {});
  // The loader's copy of the next batch, beside the step: input pipelines prefetch.
  void prefetch_input(DeviceLane& lane);

  // One forward over all layers (those `include` accepts) on every lane; one host thread launches for all of
  // them, `replicas` times the operators of one. The first kernel of a lane also waits for `after`.
  void forward(std::vector<DeviceLane*> lanes, StreamId host_stream, double replicas,
               std::span<const OpId> after, const std::function<bool(const Layer&)>& include = {});
  // One backward; after the kernels of a layer `layer_done` is called with the layer.
  void backward(DeviceLane& lane, std::span<const OpId> after,
                const std::function<bool(const Layer&)>& include = {},
                const std::function<void(const Layer&)>& layer_done = {});
  OpId optimizer(DeviceLane& lane, std::span<const OpId> after);
  // What stands between micro-batches and around mixed precision.
  void cast_weights(DeviceLane& lane);
  // Whole micro-batches of forward and backward without synchronisation, folded into one operation a lane.
  void local_micro_batches(DeviceLane& lane, int count);

  // A collective of all the lanes' ranks, with the links it uses.
  CommunicationId add_collective(CollectiveKind kind, Bytes message, const std::vector<DeviceLane*>& lanes,
                                 Seconds arrival_spread = {});
  // A copy between host memory and a lane's device, one for every rank that the lane stands for.
  CommunicationId add_host_copy(const DeviceLane& lane, Bytes bytes, bool to_device = true);
  // Copies between one device and all the others, one after the other; `bytes` in all.
  CommunicationId add_peer_copies(Bytes bytes, const DeviceLane& one, const std::vector<DeviceLane*>& others,
                                  bool to_one);

  void hold(const DeviceLane& lane, MemoryCause cause, Bytes bytes, OpId op = no_id, bool at_end = false);
  // Parameters, optimizer state, context and library buffers; gradients too when they live between steps.
  void hold_state(const DeviceLane& lane, bool with_optimizer, bool with_communicator);
  [[nodiscard]] Bytes parameter_bytes() const;
  [[nodiscard]] Bytes saved_bytes(const Layer& layer, int batch) const;

 private:
  OpId append(Operation operation, const std::string& name, const std::string& phase,
              std::span<const OpId> after);
  [[nodiscard]] Bytes rounding_bytes() const;

  Program& program_;
  const StepRequest& request_;
  int ranks_;
  LinkPlan links_;
};

}  // namespace paceline
