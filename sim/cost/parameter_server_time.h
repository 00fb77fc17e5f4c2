// Transfers between workers and parameter servers. In one node the variables are in host memory and go over
// the PCIe slots. Between nodes each server has a node's network to itself, and the fullest one sets the
// pace: all workers ask for its share of every layer at the same time.
//
//   rate of a worker = min(network / workers of a node, network / (fullest share x workers))
//
// What the servers' processors need to add gradients and to update is not counted: they are not described.
#pragma once

#include "sim/cost/step_request.h"

namespace paceline {

struct ServerTransfers {
  bool in_host_memory = false;
  double fullest = 1;      // share of the parameters on the fullest server
  BytesPerSecond network;  // of a server, in each direction
  BytesPerSecond worker;   // a worker's part of its node's network
  Seconds latency;
};
// Throws InputError for gradient accumulation, which needs a barrier of its own, and for several servers in
// one node.
[[nodiscard]] ServerTransfers server_transfers(const StepRequest& request);

// Of a layer's parameters in one direction, all workers at once.
[[nodiscard]] Seconds transfer_time(const StepRequest& request, const ServerTransfers& servers, Bytes bytes);
// Asynchronous workers come one after the other: nobody waits in a queue until the fullest server is busy all
// the time, which takes it so long a step.
[[nodiscard]] Seconds server_busy_time(const StepRequest& request, const ServerTransfers& servers);

[[nodiscard]] Bytes parameter_bytes(const Model& model, const Layer& layer);  // fp32

}  // namespace paceline
