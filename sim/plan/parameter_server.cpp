// Parameter servers: before a layer's forward a worker pulls its parameters, after its backward it pushes its
// gradients; the servers update. Synchronous workers start the next step together, when the last gradient is
// in. Asynchronous ones do not wait: a worker's step is its own, or as long as the fullest server is busy
// with all of them.
#include <algorithm>

#include "sim/cost/parameter_server_time.h"
#include "sim/plan/step_builder.h"

namespace paceline {
namespace {

class ParameterServerStep {
 public:
  ParameterServerStep(Program& program, const StepRequest& request)
      : program_(program), request_(request), build_(program, request), servers_(server_transfers(request)) {}

  void run() {
    const auto workers = static_cast<std::uint32_t>(request_.devices);
    const std::string name = workers == 1 ? "worker 0" : "worker 0-" + std::to_string(workers - 1);
    lane_ = build_.add_device({name, 0, workers, true}, request_.batch_per_device, no_id);
    push_stream_ = program_.add_stream({lane_.rank, StreamKind::communication, "push"});
    add_servers();
    build_.hold_state(lane_, false, false);
    build_.cast_weights(lane_);
    forward();
    build_.backward(lane_, {}, {}, [&](const Layer& layer) { push(layer); });
    if (pushed_ != no_id)
      build_.hold(lane_, MemoryCause::gradients, -build_.parameter_bytes(), pushed_, true);
  }

 private:
  void add_servers() {
    const Seconds busy = server_busy_time(request_, servers_);
    if (!servers_.in_host_memory && !request_.strategy.asynchronous) {
      out_ = program_.add_resource({"fullest server, out", servers_.network, no_id});
      in_ = program_.add_resource({"fullest server, in", servers_.network, no_id});
    }
    if (busy.value() == 0) return;
    const RankId rank = program_.add_rank({"fullest server", request_.devices, 1, false});
    const StreamId stream = program_.add_stream({rank, StreamKind::host, "network"});
    build_.host(stream, "pulls and pushes of all workers", "servers", busy);
  }

  CommunicationId add_transfer(Bytes bytes, bool pull) {
    if (servers_.in_host_memory) return build_.add_host_copy(lane_, bytes, pull);
    Communication transfer;
    transfer.kind = CommunicationKind::send_receive;
    transfer.message = bytes;
    transfer.ranks = 2;
    transfer.instances = static_cast<std::uint32_t>(request_.devices);
    transfer.latency = servers_.latency;
    transfer.wire_bytes = bytes;
    transfer.rate = std::min(servers_.worker, servers_.network / servers_.fullest);
    const ResourceId server = pull ? out_ : in_;
    if (server != no_id) transfer.uses.push_back({server, servers_.fullest});
    return program_.add_communication(std::move(transfer));
  }

  // A layer starts when its parameters and all before them are there.
  void forward() {
    std::vector<OpId> wait;
    for (const Layer& layer : request_.model.layers) {
      const Bytes bytes = parameter_bytes(request_.model, layer);
      if (bytes.value() > 0)
        wait = {build_.communicate(lane_, lane_.communication, add_transfer(bytes, true),
                                   "pull " + layer.name, "forward")};
      build_.forward({&lane_}, lane_.host, 1, wait, [&](const Layer& each) { return &each == &layer; });
      if (!request_.kernels.forward(layer, lane_.batch).kernels.empty()) wait.clear();
    }
  }

  void push(const Layer& layer) {
    const Bytes bytes = parameter_bytes(request_.model, layer);
    if (bytes.value() == 0) return;
    build_.hold(lane_, MemoryCause::gradients, bytes, lane_.last_compute, true);
    const CommunicationId id = add_transfer(bytes, false);
    left_ -= bytes;
    const bool last = left_ <= Bytes(0.5);
    if (last && !request_.strategy.asynchronous)
      program_.communications[id].arrival_spread = arrival_spread(request_, request_.devices, lane_.batch);
    pushed_ = build_.communicate(lane_, push_stream_, id, "push " + layer.name, "backward",
                                 std::span(&lane_.last_compute, 1));
  }

  Program& program_;
  const StepRequest& request_;
  StepBuilder build_;
  ServerTransfers servers_;
  Bytes left_ = build_.parameter_bytes();  // gradients still to be pushed
  StreamId push_stream_ = 0;
  ResourceId out_ = no_id, in_ = no_id;
  OpId pushed_ = no_id;
  DeviceLane lane_;
};

}  // namespace

Program plan_parameter_server(const StepRequest& request) {
  Program program;
  ParameterServerStep(program, request).run();
  return program;
}

}  // namespace paceline
