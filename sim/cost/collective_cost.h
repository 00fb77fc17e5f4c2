// Time of a collective and of a copy when nothing else uses the links, split into what the engine needs: a
// latency, and bytes that move at a bounded rate over links that others may share.
//
// Rings, trees and in-switch reduction with the LL, LL128 and Simple protocols, as NCCL runs them; each is a
// small law of (constants, topology, bytes), and the fastest is taken. Constants belong to links and fabrics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/profile.h"
#include "base/provenance.h"
#include "base/quantity.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/hardware/topology.h"

namespace paceline {

enum class CollectiveKind { all_reduce, all_gather, reduce_scatter, broadcast, reduce };

struct CollectiveTime {
  Seconds latency;
  Bytes wire;           // what a rank puts on its link
  BytesPerSecond rate;  // at which it does so, alone
  double compute_slowdown = 0;
  std::string algorithm, protocol;
  Provenance provenance = Provenance::modelled;
  bool extrapolated = false;  // beyond the largest size of a measured table
  double uncertainty = 0;     // typical relative error

  [[nodiscard]] Seconds total() const { return wire.value() > 0 ? latency + wire / rate : latency; }
};

// The ranks of a collective: `ranks` in all, `per_node` on each node.
struct CollectiveGroup {
  int ranks = 1;
  int per_node = 1;
  [[nodiscard]] int nodes() const { return (ranks + per_node - 1) / per_node; }
};

class CollectiveCost {
 public:
  // `profile` may be null; its tables of the same ranks and nodes replace the laws. Throws InputError when
  // the cluster has several nodes in use but no network.
  CollectiveCost(const HardwareCatalog& catalog, const Cluster& cluster, const Profile* profile);

  // `message` as nccl-tests counts it: the whole vector. Time 0 for one rank.
  [[nodiscard]] CollectiveTime collective(CollectiveKind kind, Bytes message,
                                          const CollectiveGroup& group) const;
  // Device to device inside a node.
  [[nodiscard]] CollectiveTime peer_copy(Bytes bytes, int devices) const;
  // Pinned host memory to a device or back, over its slot.
  [[nodiscard]] CollectiveTime host_copy(Bytes bytes) const;

  // Raw rates for bounds and shared links: of a device's link inside a group, of a device's slot, of a node's
  // network.
  [[nodiscard]] BytesPerSecond link_rate(int devices) const;
  [[nodiscard]] BytesPerSecond slot_rate() const;
  [[nodiscard]] BytesPerSecond network_rate() const;
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  struct Terms;
  [[nodiscard]] Terms terms_of(CollectiveKind kind, Bytes message, const CollectiveGroup& group) const;
  [[nodiscard]] CollectiveTime ring_simple(const Terms& terms) const;
  [[nodiscard]] CollectiveTime ring_ll128(const Terms& terms) const;
  [[nodiscard]] CollectiveTime ring_ll(const Terms& terms) const;
  [[nodiscard]] CollectiveTime tree(const Terms& terms, const std::string& protocol) const;
  [[nodiscard]] CollectiveTime nvls(const Terms& terms) const;
  [[nodiscard]] std::optional<CollectiveTime> measured(CollectiveKind kind, Bytes message,
                                                       const CollectiveGroup& group) const;
  void finish(CollectiveTime& time, const Terms& terms) const;

  Cluster cluster_;
  Device device_;
  LinkConstants link_, pcie_;
  std::optional<FabricConstants> fabric_;
  std::vector<MeasuredCollective> tables_;
};

}  // namespace paceline
