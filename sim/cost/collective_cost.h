// Time of a collective and of a copy when nothing else uses the links, split into what the engine needs: a
// latency, and bytes that move at a bounded rate over links that others may share.
//
// The laws and the library's choice among them are those of sim/collective; a profile's tables bend them
// where it has measured. What compute loses meanwhile is added here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/profile.h"
#include "base/provenance.h"
#include "base/quantity.h"
#include "sim/collective/predictor.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/hardware/topology.h"

namespace paceline {

struct CollectiveTime {
  Seconds latency;
  Bytes wire;           // what a rank puts on its link
  BytesPerSecond rate;  // at which it does so, alone
  double compute_slowdown = 0;
  std::string algorithm, protocol;
  Provenance provenance = Provenance::modelled;
  bool extrapolated = false;  // beyond the largest size of a measured table
  double uncertainty = 0;     // typical relative error
  // Nine of ten measurements lie between total() * low and total() * high.
  double low = 1, high = 1;
  Binding binding = Binding::latency;
  int channels = 0;       // blocks of the library's kernel, so multiprocessors that it holds
  Bytes network_bytes{};  // that a node puts on its NICs

  [[nodiscard]] Seconds total() const { return wire.value() > 0 ? latency + wire / rate : latency; }
};

class CollectiveCost {
 public:
  // `profile` may be null; its tables of the same kind, ranks and nodes bend the laws. The catalog must
  // outlive this. Throws InputError when the links of the cluster have no constants.
  CollectiveCost(const HardwareCatalog& catalog, const Cluster& cluster, const Profile* profile,
                 const CollectiveSettings& settings = {});

  // `message` as nccl-tests counts it: the whole vector. Time 0 for one rank. Throws InputError when the
  // group has several nodes and the cluster no network.
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
  [[nodiscard]] CollectiveTime with_slowdown(CollectiveTime time, const GroupTerms& terms) const;

  const HardwareCatalog* catalog_;
  Cluster cluster_;
  Device device_;
  LinkConstants link_, slot_;
  CollectiveSettings settings_;
  std::vector<MeasuredCollective> tables_;
};

}  // namespace paceline
