#include "sim/cost/collective_cost.h"

#include <algorithm>

#include "sim/cost/measured_collective.h"
#include "sim/hardware/topology.h"

namespace paceline {
namespace {

// A law's value: what does not move bytes, and how long the bytes take.
CollectiveTime split(double latency, double volume, double transfer) {
  CollectiveTime time;
  time.latency = Seconds(latency);
  time.wire = Bytes(volume);
  time.rate = BytesPerSecond(transfer > 0 ? volume / transfer : 1);
  return time;
}

CollectiveTime time_of(const CollectivePrediction& prediction) {
  CollectiveTime time = split(prediction.time.latency, prediction.time.volume, prediction.time.transfer);
  time.algorithm = to_string(prediction.algorithm);
  time.protocol = to_string(prediction.protocol);
  time.low = prediction.spread.low;
  time.high = prediction.spread.high;
  time.binding = prediction.time.binding;
  time.channels = prediction.channels;
  time.network_bytes = Bytes(prediction.time.network);
  return time;
}

}  // namespace

CollectiveCost::CollectiveCost(const HardwareCatalog& catalog, const Cluster& cluster, const Profile* profile,
                               const CollectiveSettings& settings)
    : catalog_(&catalog),
      cluster_(cluster),
      device_(catalog.device(cluster.device)),
      link_(inner_link(catalog, cluster, std::min(cluster.devices_per_node, 2))),
      slot_(slot_link(catalog, cluster)),
      settings_(settings) {
  if (profile) tables_ = profile->collectives;
}

BytesPerSecond CollectiveCost::link_rate(int devices) const {
  return group_link(cluster_, device_, devices).raw;
}
BytesPerSecond CollectiveCost::slot_rate() const {
  return pcie_rate(device_.pcie_generation, device_.pcie_lanes);
}
BytesPerSecond CollectiveCost::network_rate() const {
  return cluster_.network ? cluster_.network->rate * cluster_.network->nics : BytesPerSecond(0);
}

// Compute loses the link's share while NVLink moves data, the fabric's while the network does, and the
// channels' share whatever carries it.
CollectiveTime CollectiveCost::with_slowdown(CollectiveTime time, const GroupTerms& terms) const {
  const double total = std::max(time.total().value(), 1e-12);
  const double on_link = terms.rate > 0 ? std::min(1.0, terms.volume / terms.rate / total) : 0;
  const double on_network = terms.nodes > 1 ? std::min(1.0, terms.volume / terms.network / total) : 0;
  time.compute_slowdown = terms.host_staged ? terms.link.host_staged_slowdown
                                            : std::min(0.95, terms.link.compute_slowdown * on_link +
                                                                 terms.fabric.compute_slowdown * on_network +
                                                                 terms.link.channel_slowdown);
  time.uncertainty =
      terms.nodes > 1 ? std::max(terms.link.uncertainty, terms.fabric.uncertainty) : terms.link.uncertainty;
  return time;
}

CollectiveTime CollectiveCost::collective(CollectiveKind kind, Bytes message,
                                          const CollectiveGroup& group) const {
  if (group.ranks < 2 || message <= Bytes(0)) return {};
  const CollectivePredictor predictor(*catalog_, cluster_, kind, group, settings_);
  const GroupTerms terms = sized(predictor.terms(), message);
  const MeasuredTable table(tables_, kind, group);
  if (table.empty()) return with_slowdown(time_of(predictor.predict(message)), terms);
  return with_slowdown(table.time(message, [&](Bytes bytes) { return time_of(predictor.predict(bytes)); }),
                       terms);
}

CollectiveTime CollectiveCost::peer_copy(Bytes bytes, int devices) const {
  const GroupLink path = group_link(cluster_, device_, devices);
  const LinkConstants& link = path.raw == slot_rate() || path.host_staged ? slot_ : link_;
  const double share = path.host_staged ? link.host_staged_efficiency : link.efficiency;
  // A pair of a cube mesh is joined by one or two of the device's links; the copy engine uses one path.
  const double raw =
      path.raw.value() /
      (cluster_.interconnect.kind == InterconnectKind::nvlink_cube_mesh ? std::max(path.rings, 1) : 1);
  const double rate = path.cap.value() > 0 ? std::min(share * raw, path.cap.value()) : share * raw;
  CollectiveTime time = split(link.base.value(), bytes.value(), bytes.value() / rate);
  time.uncertainty = link.uncertainty;
  return time;
}

CollectiveTime CollectiveCost::host_copy(Bytes bytes) const {
  const double rate = slot_.efficiency * slot_rate().value();
  CollectiveTime time = split(slot_.base.value(), bytes.value(), bytes.value() / rate);
  time.uncertainty = slot_.uncertainty;
  return time;
}

}  // namespace paceline
