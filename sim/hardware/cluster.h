// Cluster: nodes of one kind, parametric in their number; and the constants of the links they are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/hardware/device.h"
#include "sim/hardware/fabric_shape.h"
#include "sim/hardware/link_matrix.h"
#include "sim/hardware/torus.h"

namespace paceline {

// Constants of a communication library on one kind of link (NCCL on NVLink of an architecture, on PCIe, ...).
// Symbols as in the literature on NCCL's tuner: a step is one hop of one chunk.
struct LinkConstants {
  std::string name, source;
  Seconds base;                    // launch to completion of an empty collective
  Seconds ll_step;                 // LL protocol, a step inside the node
  BytesPerSecond ll_channel_rate;  // LL protocol, one channel
  std::optional<Seconds> ll128_step, ll128_base;
  double ll128_efficiency = 0;  // of the raw rate; 0: no LL128
  Seconds simple_step, simple_base;
  double efficiency = 0;  // of the raw rate, large messages
  double ring_copy = 0;   // extra work of a ring's final copy, in steps
  double fill = 0;        // share of the wire time lost to filling the pipeline
  int channels = 1;
  double compute_slowdown = 0;        // of compute while the links are busy
  double channel_slowdown = 0;        // of compute while any collective's channels hold multiprocessors
  double host_staged_efficiency = 0;  // of the raw PCIe rate when devices cannot reach each other
  double host_staged_slowdown = 0;    // compute lost while a kernel reads and writes host memory
  double nvls_efficiency = 0;         // in-switch reduction; 0: none
  Seconds nvls_base;
  double nvls_small = 0;  // loss of small messages
  // All-to-all, send and receive: share of the raw rate, the copy of a rank's own part in parts, and the
  // start of a transfer. An efficiency of 0 stands for that of rings.
  double peer_efficiency = 0, peer_copy = 0;
  Seconds peer_base;
  double uncertainty = 0.15;
};

// Constants of a network between nodes.
struct FabricConstants {
  std::string name, source;
  double efficiency = 0;  // of the wire rate
  Seconds ll_step, ll128_step, simple_step;
  Seconds ramp;
  double fill = 0;
  double compute_slowdown = 0;  // of compute while data moves
  bool verbs = false;           // RDMA verbs, as InfiniBand and RoCE: what its times scatter least by
  bool joins_nics = false;      // its plug-in shows the library the NICs beside a device as one
  BytesPerSecond node_limit;    // what the processors of a node push through sockets; 0: none
  double uncertainty = 0.15;
};

enum class InterconnectKind {
  nvlink_cube_mesh,
  nvswitch,
  nvlink_mesh,
  nvlink_bridge,
  pcie,
  xgmi_mesh,
  torus
};
// As cluster files write it: "nvlink-mesh".
[[nodiscard]] const std::string& to_string(InterconnectKind kind);

struct Interconnect {
  InterconnectKind kind = InterconnectKind::pcie;
  BytesPerSecond rate;           // cube mesh, torus: of one link; others: of a device, one direction
  bool peer_to_peer = true;      // pcie: devices can reach each other's memory
  int devices_per_root = 8;      // pcie: devices below one root complex or socket
  BytesPerSecond between_roots;  // pcie: one direction between root complexes; 0 = that of the generation
  LinkMatrix links;              // meshes: links between every two devices; empty: those of the kind
  Torus torus;                   // torus: its dimensions
};

struct Network {
  std::string fabric;
  int nics = 1;
  BytesPerSecond rate;  // of one port, one direction
  FabricShape shape{};
};

// What carries a node's PCIe, for paths; the rate of a slot is the device's.
struct Host {
  int sockets = 1;             // NUMA domains that a CPU interconnect joins
  int devices_per_switch = 0;  // devices below one PCIe switch and its slot; 0: each in a slot of its own
  bool amd = false;            // the processors are AMD's, which a library's tuner tells apart
  bool arm = false;            // ... or Arm cores, as NVIDIA's Grace
  BytesPerSecond c2c;          // of the link between a device and its CPU, one direction; 0: PCIe only
};

struct Cluster {
  std::string name, title, source;
  std::vector<std::string> aliases;
  std::string device;
  int devices_per_node = 1;
  Interconnect interconnect;
  Host host;
  std::optional<Network> network;  // absent: a single node
  int max_nodes = 1;
  bool reference_system = false;  // the vendor's own for the device: where a publication says nothing
};

}  // namespace paceline
