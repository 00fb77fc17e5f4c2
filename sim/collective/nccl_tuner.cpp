#include "sim/collective/nccl_tuner.h"

#include <algorithm>
#include <cmath>

#include "sim/collective/nccl_tables.h"

namespace paceline {
namespace {

constexpr int v2_18 = 21800, v2_19 = 21900, v2_21 = 22100, v2_23 = 22300, v2_28 = 22800, v2_30 = 23000;
constexpr int default_version = 22707;

std::size_t index_of(Protocol protocol) { return static_cast<std::size_t>(protocol); }
double floor_log2(int value) { return std::floor(std::log2(static_cast<double>(value))); }

// In the order of NCCL's enumeration.
constexpr std::array<Algorithm, 7> all_algorithms{Algorithm::tree,
                                                  Algorithm::ring,
                                                  Algorithm::collnet_direct,
                                                  Algorithm::collnet_chain,
                                                  Algorithm::nvls,
                                                  Algorithm::nvls_tree,
                                                  Algorithm::pat};

// As NCCL counts them: a broadcast has n.
double nccl_steps(CollectiveKind kind, int ranks) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2.0 * (ranks - 1);
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return ranks - 1.0;
    default:
      return ranks;
  }
}

bool is_reduced(CollectiveKind kind) { return kind == CollectiveKind::all_reduce; }
bool is_half(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
}
// The switch adds these types up.
bool switch_reduces(DataType type) {
  return type != DataType::int8 && type != DataType::uint8 && type != DataType::fp8;
}

}  // namespace

NcclTuner::NcclTuner(const NcclMachine& machine, CollectiveKind kind, const CollectiveSettings& settings)
    : machine_(machine),
      kind_(kind),
      version_(settings.library.version.value_or(default_version)),
      ring_(ring_graph(machine, version_)),
      tree_(tree_graph(machine, ring_, version_)),
      nvls_(nvls_graph(machine, ring_, version_)),
      channels_(execution_channels(machine, ring_, version_, settings)),
      nvls_channels_(paceline::nvls_channels(machine, settings)) {
  // LL128 needs 128-byte stores that arrive whole: NVLink inside a node, compute capability 7.0.
  ll128_ = machine.ll128 && machine.compute_capability >= 70 && (machine.nvlink || machine.per_node() == 1);
  if (kind == CollectiveKind::all_to_all || kind == CollectiveKind::send_receive) return;
  for (const Algorithm algorithm : all_algorithms)
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple})
      if (is_possible(algorithm, protocol, settings)) add(algorithm, protocol, settings);
}

bool NcclTuner::is_possible(Algorithm algorithm, Protocol protocol,
                            const CollectiveSettings& settings) const {
  if (!settings.allows(algorithm) || !settings.allows(protocol)) return false;
  if (protocol == Protocol::ll128 && !ll128_) return false;
  const bool simple = protocol == Protocol::simple;
  const int local = machine_.per_node();
  switch (algorithm) {
    case Algorithm::ring:
      return true;
    case Algorithm::tree:
      return is_reduced(kind_) && machine_.ranks > 2;
    case Algorithm::collnet_direct:
      return settings.collnet && simple && machine_.nodes > 1 && machine_.nvswitch && local <= 8 &&
             (is_reduced(kind_) || is_half(kind_));
    case Algorithm::collnet_chain:
      return settings.collnet && simple && machine_.nodes > 1 && local <= 8 && is_reduced(kind_);
    case Algorithm::nvls:
      if (!simple || !nvls_ || !switch_reduces(settings.type)) return false;
      if (machine_.nodes > 1) return settings.collnet && (is_reduced(kind_) || is_half(kind_));
      return is_reduced(kind_) || (is_half(kind_) && version_ >= v2_19);
    case Algorithm::nvls_tree:
      return simple && nvls_ && machine_.nodes > 1 && is_reduced(kind_) && version_ >= v2_18 &&
             switch_reduces(settings.type);
    case Algorithm::pat:
      return simple && version_ >= v2_23 && local == 1 && is_half(kind_) && machine_.nodes > 1 &&
             machine_.compute_capability >= 60;
    default:
      return false;
  }
}

void NcclTuner::add(Algorithm algorithm, Protocol protocol, const CollectiveSettings& settings) {
  NcclEntry entry{algorithm, protocol, latency(algorithm, protocol), bandwidth(algorithm, protocol)};
  if (!(entry.bandwidth > 0)) return;
  entry.corrected =
      is_reduced(kind_) &&
      (algorithm == Algorithm::tree ||
       (algorithm == Algorithm::nvls_tree && version_ >= v2_30 && machine_.compute_capability >= 100));
  if (algorithm == Algorithm::ring && protocol == Protocol::simple && is_reduced(kind_) && machine_.nodes > 1)
    entry.ring_simple_factor = machine_.compute_capability < 80 ? 1.9 : 1.4;
  // Rings of 8-bit floats over many ranks are avoided by a prohibitive factor.
  if (settings.type == DataType::fp8 && algorithm == Algorithm::ring && machine_.ranks > 8 &&
      (is_reduced(kind_) || kind_ == CollectiveKind::reduce_scatter)) {
    entry.latency *= 1024;
    entry.bandwidth /= 1024;
  }
  entries_.push_back(entry);
}

double NcclTuner::ring_bandwidth(Protocol protocol) const {
  const std::size_t row = nccl::generation(machine_.compute_capability);
  const std::size_t nodes = static_cast<std::size_t>(std::clamp(machine_.nodes, 1, 3) - 1);
  const double bus = ring_.channels * (machine_.nodes <= 2 ? ring_.intra : ring_.inter);
  double value = bus;
  if (protocol == Protocol::ll) {
    // Across nodes the row goes by the CPU, not by the device.
    const std::size_t by_cpu = machine_.nodes > 1 ? (machine_.amd_cpu ? 1 : 0) : row;
    const double share = version_ >= v2_21 ? 0.5 : machine_.nodes > 1 || is_reduced(kind_) ? 0.25 : 1.0 / 3;
    value = std::min(nccl::ll_limit(by_cpu, version_)[nodes], share * bus);
  } else if (protocol == Protocol::ll128) {
    const double share = version_ < v2_23 && machine_.per_node() < 2 ? 0.7 : 0.92;
    value = std::min(share * bus, ring_.channels * nccl::ring_ll128_channel(row, version_)[nodes]);
  }
  return value * machine_.ranks / nccl_steps(kind_, machine_.ranks);
}

double NcclTuner::tree_bandwidth(Protocol protocol) const {
  const std::size_t row = nccl::generation(machine_.compute_capability);
  const std::size_t nodes = static_cast<std::size_t>(std::clamp(machine_.nodes, 1, 3) - 1);
  const std::size_t by_cpu = machine_.nodes > 1 ? (machine_.amd_cpu ? 1 : 0) : row;
  double bus = tree_.channels * (machine_.nodes <= 2 ? tree_.intra : tree_.inter);
  bus = std::min(0.92 * bus, tree_.channels * nccl::tree_channel(row, version_)[nodes]);
  if (protocol == Protocol::ll) bus = std::min(bus / 3.8, nccl::ll_limit(by_cpu, version_)[nodes]);
  if (protocol == Protocol::ll128)
    bus = std::min(bus * (machine_.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                   tree_.channels * nccl::tree_ll128_channel(row, version_)[nodes]);
  return bus * 0.5;
}

double NcclTuner::nvls_bandwidth(bool tree) const {
  if (!nvls_ || nvls_->channels < 2) return 0;
  const std::size_t row = nccl::generation(machine_.compute_capability);
  const std::size_t nodes = static_cast<std::size_t>(std::clamp(machine_.nodes, 1, 3) - 1);
  const double channels = nvls_->channels, local = machine_.per_node();
  if (version_ < v2_28) {
    const double inter = machine_.nodes <= 2 ? nvls_->inter : nvls_->inter / 2;
    const double rate = tree ? std::min(nvls_->intra, inter) : nvls_->intra;
    return channels * rate * 5.0 / 6;
  }
  double intra = nvls_->intra * nccl::nvls_efficiency(row) * (channels - 1) / channels;
  intra *= is_reduced(kind_) ? 2 : (local - 1) / local;
  double rate = std::min(intra, nvls_->inter * (tree && machine_.nodes <= 2 ? 2 : 1));
  if (tree) rate = std::min(rate, nccl::nvls_tree_channel(row, version_)[nodes]);
  const double bus = channels * rate;
  return is_half(kind_) && !tree ? bus * machine_.ranks / (machine_.ranks - 1.0)
                                 : bus * machine_.ranks / nccl_steps(kind_, machine_.ranks);
}

double NcclTuner::collnet_bandwidth() const {
  const double local = machine_.per_node(), channels = ring_.channels;
  if (is_half(kind_)) return local * std::min(ring_.intra, 0.9 * ring_.inter);
  double factor = local / channels;
  factor -= (factor - 1) / 2;
  return channels * ring_.intra / factor * (machine_.compute_capability >= 90 ? 0.85 : 1) * 0.5;
}

double NcclTuner::bandwidth(Algorithm algorithm, Protocol protocol) const {
  switch (algorithm) {
    case Algorithm::ring:
      return ring_bandwidth(protocol);
    case Algorithm::tree:
      return tree_bandwidth(protocol);
    case Algorithm::nvls:
      return nvls_bandwidth(false);
    case Algorithm::nvls_tree:
      return nvls_bandwidth(true);
    case Algorithm::collnet_direct:
      return collnet_bandwidth();
    case Algorithm::collnet_chain:
      return ring_.channels * ring_.intra * 0.5;
    case Algorithm::pat: {
      const double share = version_ < 22400 ? 0.85 : 0.75;
      return share * ring_.channels * ring_.inter;
    }
    default:
      return 0;
  }
}

double NcclTuner::ring_latency(Protocol protocol) const {
  const std::size_t at = index_of(protocol);
  const double base = nccl::base_latency(Algorithm::ring, version_)[at];
  const nccl::Hop inside = machine_.nvlink ? nccl::Hop::nvlink : nccl::Hop::pci;
  const double intra = nccl::hop_latency(Algorithm::ring, inside, version_)[at];
  // With a rank a node the tree's row of the network counts for every algorithm.
  const Algorithm row = machine_.per_node() == 1 ? Algorithm::tree : Algorithm::ring;
  const double inter = nccl::hop_latency(row, nccl::Hop::network, version_)[at];
  if (kind_ == CollectiveKind::broadcast || kind_ == CollectiveKind::reduce) {
    const double hop = machine_.nodes > 1 ? inter : intra;
    return base + (protocol == Protocol::simple ? machine_.ranks * hop : hop);
  }
  double crossing = 0;
  if (machine_.nodes > 1) {
    crossing = is_reduced(kind_) ? 2.0 * (machine_.nodes - 1) : machine_.nodes - 1.0;
    if (version_ < v2_23 && is_reduced(kind_)) crossing = 2.0 * machine_.nodes;
  }
  double post = machine_.nodes > 1 ? (machine_.amd_cpu ? 2.0 : 1.0) : 0;
  if (protocol == Protocol::simple) post *= 3;
  const double steps = nccl_steps(kind_, machine_.ranks);
  return base + std::max(0.0, steps - crossing) * std::max(intra, post) + crossing * inter;
}

double NcclTuner::latency(Algorithm algorithm, Protocol protocol) const {
  if (algorithm == Algorithm::ring) return ring_latency(protocol);
  const std::size_t at = index_of(protocol);
  const double base = nccl::base_latency(algorithm, version_)[at];
  const nccl::Hop inside = machine_.nvlink ? nccl::Hop::nvlink : nccl::Hop::pci;
  const double intra = nccl::hop_latency(algorithm, inside, version_)[at];
  const double inter = nccl::hop_latency(algorithm, nccl::Hop::network, version_)[at];
  const double levels = floor_log2(machine_.nodes), chain = machine_.per_node() - 1.0;
  switch (algorithm) {
    case Algorithm::tree:
      return base + 2 * (chain * intra + levels * inter);
    case Algorithm::collnet_direct:
      return 2 * (std::min(1.0, chain) * intra + chain * 0.4) + inter;
    case Algorithm::collnet_chain:
      return 2 * chain * intra + inter;
    case Algorithm::nvls:
      return intra + (machine_.nodes > 1 ? inter : 0);
    case Algorithm::nvls_tree:
      return intra + 2 * levels * inter;
    case Algorithm::pat:
      return base + levels * inter / 3.5 + 2.8 * machine_.ranks;
    default:
      return base;
  }
}

double NcclTuner::time(const NcclEntry& entry, double bytes) const {
  double bandwidth = entry.bandwidth, latency = entry.latency;
  if (entry.corrected && bytes >= 64)
    bandwidth *= nccl::tree_correction(entry.protocol, static_cast<int>(std::floor(std::log2(bytes / 64))));
  if (std::floor(bytes / (static_cast<double>(channels_) * machine_.ranks)) >= 64)
    latency *= entry.ring_simple_factor;
  return latency + bytes / (1000 * bandwidth);
}

const NcclEntry* NcclTuner::choose(double bytes) const {
  const NcclEntry* best = nullptr;
  double least = 0;
  for (const NcclEntry& entry : entries_) {
    const double time = this->time(entry, bytes);
    if (!best || time < least) {
      best = &entry;
      least = time;
    }
  }
  return best;
}

int NcclTuner::used_channels(Algorithm algorithm, Protocol protocol, double bytes) const {
  if (algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree)
    return machine_.nodes > 1 ? std::min(nvls_channels_, channels_) : nvls_channels_;
  // Bytes a thread below which a channel is given up.
  const bool ring = algorithm == Algorithm::ring;
  const double threshold = protocol == Protocol::simple       ? 64
                           : protocol == Protocol::ll && ring ? 8.0 * machine_.ranks
                                                              : 8;
  const double threads = protocol == Protocol::ll128 ? 640 : 512;
  int count = channels_;
  while (count > 1 && bytes < count * threads * threshold) --count;
  return count;
}

}  // namespace paceline
