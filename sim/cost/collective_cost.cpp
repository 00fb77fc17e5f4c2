#include "sim/cost/collective_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"

namespace paceline {
namespace {

constexpr double kib = 1024.0, mib = 1024.0 * 1024.0;
// Shares of a link or a network that the protocols leave for data, and how far trees get, as NCCL's tuner and
// published tables of all-reduces have them; they belong to the library, whatever the hardware.
constexpr double ll_link_share = 0.5;  // a flag with every four bytes
constexpr double ll_network_share = 0.32;
constexpr double ll128_network_share = 0.85;
constexpr double tree_link_gain = 1.07;      // of a ring's rate inside a node
constexpr double tree_network_share = 0.83;  // inner nodes of a tree over three nodes and more
constexpr double nvls_tree_link_share = 0.91, nvls_tree_network_share = 0.855;
// Speed that compute loses beside any collective: from the scaling of published data-parallel steps.
constexpr double any_collective_slowdown = 0.069;

constexpr double fill_limit = 270e6;  // bytes after which a pipeline is full, whatever the message

std::string link_name(const HardwareCatalog& catalog, const Cluster& cluster, const Device& device) {
  switch (cluster.interconnect.kind) {
    case InterconnectKind::pcie:
      return "pcie";
    case InterconnectKind::nvlink_bridge:
      return "nvlink-bridge";
    case InterconnectKind::xgmi_mesh:
      return "xgmi";
    case InterconnectKind::nvlink_cube_mesh:
    case InterconnectKind::nvswitch:
    case InterconnectKind::nvlink_mesh:
    case InterconnectKind::torus:
      break;
  }
  return catalog.architecture(device.architecture).nvlink;
}

std::string name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return "all_reduce";
    case CollectiveKind::all_gather:
      return "all_gather";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::reduce:
      return "reduce";
  }
  return "all_reduce";
}

double floor_log2(int value) { return std::floor(std::log2(static_cast<double>(value))); }

}  // namespace

// The symbols of the laws. Times in seconds, sizes in bytes, rates in bytes per second.
struct CollectiveCost::Terms {
  CollectiveKind kind;
  double size = 0;  // S
  double n = 1, nodes = 1, per_node = 1;
  double steps = 0;          // ns: steps of a ring
  double inter_steps = 0;    // ki: of them, between nodes
  double volume = 0;         // V: bytes a rank puts on its link
  double depth = 0;          // levels of a tree between nodes
  double raw = 0, rate = 0;  // of a device's link: data sheet, and E: what large messages reach
  double network = 0;        // W: of a node
  bool host_staged = false;
  double small_ramp = 0;  // LL, LL128 across nodes
  LinkConstants link;
  FabricConstants fabric;
};

CollectiveCost::CollectiveCost(const HardwareCatalog& catalog, const Cluster& cluster, const Profile* profile)
    : cluster_(cluster), device_(catalog.device(cluster.device)), pcie_(catalog.link("pcie")) {
  const std::string name = link_name(catalog, cluster, device_);
  if (name.empty()) {
    throw InputError("cluster", fmt::format("\"{}\" with NVLink", cluster.name),
                     fmt::format("link constants for {}", device_.title), "choose another cluster");
  }
  link_ = catalog.link(name);
  if (cluster.network) fabric_ = catalog.fabric(cluster.network->fabric);
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

CollectiveCost::Terms CollectiveCost::terms_of(CollectiveKind kind, Bytes message,
                                               const CollectiveGroup& group) const {
  const int local = std::min(group.ranks, group.per_node);
  const GroupLink path = group_link(cluster_, device_, std::max(local, 1));
  const bool on_pcie = cluster_.interconnect.kind == InterconnectKind::pcie ||
                       (cluster_.interconnect.kind == InterconnectKind::nvlink_bridge && local > 2);
  Terms terms{.kind = kind, .link = on_pcie ? pcie_ : link_, .fabric = fabric_.value_or(FabricConstants{})};
  terms.size = message.value();
  terms.n = group.ranks;
  terms.nodes = group.nodes();
  terms.per_node = local;
  const bool all_reduce = kind == CollectiveKind::all_reduce;
  const bool rooted = kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
  terms.steps = all_reduce ? 2 * (terms.n - 1) : terms.n - 1;
  terms.inter_steps = all_reduce ? 2 * (terms.nodes - 1) : terms.nodes - 1;
  terms.volume = rooted ? terms.size : terms.steps / terms.n * terms.size;
  terms.depth = floor_log2(group.nodes());
  terms.raw = path.raw.value() * path.efficiency;
  terms.host_staged = path.host_staged;
  const double share = path.host_staged ? terms.link.host_staged_efficiency : terms.link.efficiency;
  terms.rate = share * terms.raw;
  if (path.cap.value() > 0) terms.rate = std::min(terms.rate, path.cap.value());
  if (group.nodes() > 1) {
    terms.network = terms.fabric.efficiency * network_rate().value();
    terms.small_ramp = terms.fabric.ramp.value() * std::sqrt(std::min(terms.size, 256 * kib) / (64 * kib));
  }
  return terms;
}

// Compute loses the link's share while NVLink moves data, the fabric's while the network does, and 7 % of its
// speed whatever carries it.
void CollectiveCost::finish(CollectiveTime& time, const Terms& terms) const {
  const double on_link = std::min(1.0, terms.volume / terms.rate / std::max(time.total().value(), 1e-12));
  const double on_network =
      terms.nodes > 1 ? std::min(1.0, terms.volume / terms.network / std::max(time.total().value(), 1e-12))
                      : 0;
  time.compute_slowdown = terms.host_staged ? terms.link.host_staged_slowdown
                                            : std::min(0.95, terms.link.compute_slowdown * on_link +
                                                                 terms.fabric.compute_slowdown * on_network +
                                                                 any_collective_slowdown);
  time.uncertainty =
      terms.nodes > 1 ? std::max(terms.link.uncertainty, terms.fabric.uncertainty) : terms.link.uncertainty;
}

namespace {

// A law's value: what does not move bytes, and how long the bytes take.
CollectiveTime split(double latency, double volume, double transfer, const char* algorithm,
                     const char* protocol) {
  CollectiveTime time;
  time.latency = Seconds(latency);
  time.wire = Bytes(volume);
  time.rate = BytesPerSecond(transfer > 0 ? volume / transfer : 1);
  time.algorithm = algorithm;
  time.protocol = protocol;
  return time;
}

}  // namespace

CollectiveTime CollectiveCost::ring_simple(const Terms& t) const {
  const double inter = t.fabric.simple_step.value();
  const double latency = t.link.base.value() + t.link.simple_base.value() +
                         (t.steps - t.inter_steps) * t.link.simple_step.value() + t.inter_steps * inter;
  double transfer = t.volume / t.rate * (1 + t.link.ring_copy / t.steps);
  double filled = t.rate, fill = t.link.fill;
  if (t.nodes > 1) {
    transfer = std::max(transfer, t.volume / t.network);
    filled = std::min(t.rate, t.network);
    fill = t.fabric.fill;
  }
  transfer += fill * std::min(t.volume, fill_limit) / filled;
  return split(latency, t.volume, transfer, "ring", "Simple");
}

CollectiveTime CollectiveCost::ring_ll128(const Terms& t) const {
  const double latency = t.link.base.value() + t.link.ll128_base->value() +
                         (t.steps - t.inter_steps) * t.link.ll128_step->value() +
                         t.inter_steps * t.fabric.ll128_step.value() + t.small_ramp;
  double transfer = t.volume / std::min(t.link.ll128_efficiency * t.raw, t.rate);
  if (t.nodes > 1) transfer = std::max(transfer, t.volume / (ll128_network_share * t.network));
  return split(latency, t.volume, transfer, "ring", "LL128");
}

// LL sends 8 bytes with every 8 of flags: half of the link. A channel takes 2 KiB a step before the next
// opens.
CollectiveTime CollectiveCost::ring_ll(const Terms& t) const {
  const double latency = t.link.base.value() + (t.steps - t.inter_steps) * t.link.ll_step.value() +
                         t.inter_steps * t.fabric.ll_step.value() + t.small_ramp;
  const double piece = t.volume / t.steps;
  const double in_channel = std::max(std::min(piece, 2 * kib), piece / t.link.channels);
  double transfer =
      std::max(t.steps * in_channel / t.link.ll_channel_rate.value(), t.volume / (ll_link_share * t.rate));
  if (t.nodes > 1) transfer = std::max(transfer, t.volume / (ll_network_share * t.network));
  return split(latency, t.volume, transfer, "ring", "LL");
}

// Double binary tree over nodes, chains inside. With two nodes each half of the data crosses once each way,
// so a node sends S; from three nodes on an inner node of the tree sends 2 S.
CollectiveTime CollectiveCost::tree(const Terms& t, const std::string& protocol) const {
  const bool simple = protocol == "Simple", ll128 = protocol == "LL128";
  const double local = (simple ? t.link.simple_step : ll128 ? *t.link.ll128_step : t.link.ll_step).value();
  const double remote = (simple  ? t.fabric.simple_step
                         : ll128 ? t.fabric.ll128_step
                                 : t.fabric.ll_step)
                            .value();
  const double base = simple ? t.link.simple_base.value() : ll128 ? t.link.ll128_base->value() : 0;
  const double latency = t.link.base.value() + base + 2 * ((t.per_node - 1) * local + t.depth * remote) +
                         (simple ? 0 : t.small_ramp);
  double rate = t.rate, share = 1;
  if (ll128) rate = std::min(t.link.ll128_efficiency * t.raw, t.rate), share = ll128_network_share;
  if (protocol == "LL") {
    rate = std::min(t.link.ll_channel_rate.value() * t.link.channels, ll_link_share * t.rate);
    share = ll_network_share;
  }
  double transfer = 2 * t.size / (tree_link_gain * rate);
  if (t.nodes == 2) transfer = std::max(transfer, t.size / (share * t.network));
  if (t.nodes > 2) transfer = std::max(transfer, 2 * t.size / (share * t.network * tree_network_share));
  if (simple) {
    const double filled = t.nodes > 1 ? std::min(t.rate, t.network) : t.rate;
    const double fill = t.nodes > 1 ? t.fabric.fill : t.link.fill;
    transfer += fill * std::min(2 * t.size, fill_limit) / filled;
  }
  return split(latency, t.size, transfer, "tree", protocol.c_str());
}

// Reduction inside the NVSwitch: the algorithm's bandwidth hardly depends on the number of devices.
CollectiveTime CollectiveCost::nvls(const Terms& t) const {
  const double rate = t.link.nvls_efficiency * t.raw;
  const double heads = std::min(t.per_node, 8.0);
  const double reach = (heads - 1) / heads;
  const double small = t.link.nvls_small * std::min(t.size, 64 * mib) / rate;
  double latency = t.link.base.value() + t.link.nvls_base.value();
  if (t.nodes == 1) {
    const double transfer = t.size / (rate * reach) + small * std::max(1.0, t.per_node / 8);
    return split(latency, t.size, transfer, "NVLS", "Simple");
  }
  latency += 2 * t.depth * t.fabric.simple_step.value();
  const double between =
      t.nodes == 2 ? t.size / t.network : 2 * t.size / (nvls_tree_network_share * t.network);
  const double transfer = std::max(t.size / (nvls_tree_link_share * rate * reach), between) +
                          t.fabric.fill * std::min(2 * t.size, fill_limit) / t.network +
                          small * std::max(0.0, t.per_node / 8 - 1);
  return split(latency, t.size, transfer, "NVLSTree", "Simple");
}

CollectiveTime CollectiveCost::collective(CollectiveKind kind, Bytes message,
                                          const CollectiveGroup& group) const {
  if (group.ranks < 2 || message <= Bytes(0)) return {};
  if (group.nodes() > 1 && !fabric_) {
    throw InputError("devices",
                     fmt::format("{} on {} nodes of {}", group.ranks, group.nodes(), cluster_.name),
                     "a cluster with a network between its nodes", "choose a cluster with a network");
  }
  const Terms terms = terms_of(kind, message, group);
  if (auto table = measured(kind, message, group)) {
    finish(*table, terms);
    return *table;
  }
  std::vector<CollectiveTime> candidates{ring_simple(terms), ring_ll(terms)};
  const bool has_ll128 = terms.link.ll128_step.has_value() && !terms.host_staged;
  if (has_ll128) candidates.push_back(ring_ll128(terms));
  if (kind == CollectiveKind::all_reduce && terms.n > 2) {
    candidates.push_back(tree(terms, "Simple"));
    candidates.push_back(tree(terms, "LL"));
    if (has_ll128) candidates.push_back(tree(terms, "LL128"));
    const bool switched = cluster_.interconnect.kind == InterconnectKind::nvswitch;
    if (switched && terms.link.nvls_efficiency > 0 && terms.per_node >= 4) candidates.push_back(nvls(terms));
  }
  CollectiveTime best = *std::min_element(
      candidates.begin(), candidates.end(),
      [](const CollectiveTime& a, const CollectiveTime& b) { return a.total() < b.total(); });
  finish(best, terms);
  return best;
}

// Of several transports the first in the profile counts.
// Log-log interpolation between the neighbours of a measured table; above its largest size in proportion to
// the bytes and marked so; below its smallest the smallest time, which latency dominates.
std::optional<CollectiveTime> CollectiveCost::measured(CollectiveKind kind, Bytes message,
                                                       const CollectiveGroup& group) const {
  std::map<double, double> table;
  std::string transport;
  for (const MeasuredCollective& row : tables_) {
    if (row.kind != name_of(kind) || row.ranks != group.ranks || row.nodes != group.nodes()) continue;
    if (table.empty()) transport = row.transport;
    if (row.transport == transport) table[row.bytes.value()] = row.time.median.value();
  }
  if (table.size() < 2) return std::nullopt;
  const double size = message.value();
  const auto above = table.lower_bound(size);
  CollectiveTime time = split(0, size, 0, transport.c_str(), "");
  double seconds = 0;
  if (above != table.end() && above->first == size) {
    seconds = above->second;
    time.provenance = Provenance::measured;
  } else if (above == table.begin()) {
    seconds = above->second;
    time.provenance = Provenance::interpolated;
  } else if (above == table.end()) {
    const auto& last = *table.rbegin();
    seconds = last.second * size / last.first;
    time.extrapolated = true;
  } else {
    const auto below = std::prev(above);
    const double position = std::log(size / below->first) / std::log(above->first / below->first);
    seconds = below->second * std::pow(above->second / below->second, position);
    time.provenance = Provenance::interpolated;
  }
  time.rate = BytesPerSecond(size / seconds);
  return time;
}

CollectiveTime CollectiveCost::peer_copy(Bytes bytes, int devices) const {
  const GroupLink path = group_link(cluster_, device_, devices);
  const LinkConstants& link = path.raw == slot_rate() || path.host_staged ? pcie_ : link_;
  const double share = path.host_staged ? link.host_staged_efficiency : link.efficiency;
  // A pair of a cube mesh is joined by one or two of the device's links; the copy engine uses one path.
  const double raw =
      path.raw.value() /
      (cluster_.interconnect.kind == InterconnectKind::nvlink_cube_mesh ? std::max(path.rings, 1) : 1);
  const double rate = path.cap.value() > 0 ? std::min(share * raw, path.cap.value()) : share * raw;
  CollectiveTime time = split(link.base.value(), bytes.value(), bytes.value() / rate, "", "");
  time.uncertainty = link.uncertainty;
  return time;
}

CollectiveTime CollectiveCost::host_copy(Bytes bytes) const {
  const double rate = pcie_.efficiency * slot_rate().value();
  CollectiveTime time = split(pcie_.base.value(), bytes.value(), bytes.value() / rate, "", "");
  time.uncertainty = pcie_.uncertainty;
  return time;
}

}  // namespace paceline
