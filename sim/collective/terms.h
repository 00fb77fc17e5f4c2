// A group of ranks reduced to the few numbers that the laws of collectives need.
#pragma once

#include "sim/collective/collective.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/collective_constants.h"

namespace paceline {

// Times in seconds, sizes in bytes, rates in bytes per second; symbols as in the laws.
struct GroupTerms {
  CollectiveKind kind = CollectiveKind::all_reduce;
  double size = 0;                     // S, the whole vector, as nccl-tests counts it
  double n = 1, nodes = 1, local = 1;  // ranks; NVLink domains N; ranks m in each
  double steps = 0;                    // ns, of a ring
  double inter_steps = 0;              // ki, of them between nodes
  double volume = 0;                   // V: bytes that a rank puts on its link in a ring
  double depth = 0;                    // levels of a tree between nodes
  double raw = 0;                      // data sheet's rate of a device's link in this group
  double rate = 0;                     // E: what large messages reach
  double peer_rate = 0;                // what an all-to-all reaches
  double wire = 0;                     // sum of a node's NICs, data sheet
  double network = 0;                  // W: what large messages reach of them
  // Of W, what an oversubscribed fabric lets through of each kind of traffic.
  double ring_share = 1, tree_share = 1, peer_share = 1;
  double nic = 0;            // ... and of one
  bool host_staged = false;  // devices cannot reach each other's memory
  double channels = 1;
  double work = 1;  // factor of the reduction's arithmetic
  LinkConstants link;
  FabricConstants fabric;
};

// Steps of a ring: 2 (n - 1) of an all-reduce, n - 1 of the others. `nodes` in place of ranks gives those
// that cross nodes.
[[nodiscard]] double ring_steps(CollectiveKind kind, double ranks);
// Bytes that a rank must send in a ring: steps / n S; S of broadcast, reduce, send/receive.
[[nodiscard]] double ring_volume(CollectiveKind kind, double ranks, double size);

}  // namespace paceline
