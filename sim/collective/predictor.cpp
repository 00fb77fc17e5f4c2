#include "sim/collective/predictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/collective/gloo.h"

namespace paceline {
namespace {

constexpr double kib = 1024, mib = 1024 * 1024;

CollectiveConstants::Class class_of(const Cluster& cluster, const GroupTerms& terms) {
  if (terms.nodes > 1) {
    const bool rdma = terms.fabric.name == "infiniband" || terms.fabric.name == "roce";
    return rdma ? CollectiveConstants::rdma_nodes : CollectiveConstants::other_nodes;
  }
  const InterconnectKind kind = cluster.interconnect.kind;
  const bool all_links = kind == InterconnectKind::nvswitch || kind == InterconnectKind::nvlink_mesh;
  return all_links ? CollectiveConstants::switched : CollectiveConstants::single_node;
}

bool runs_on_hosts(const Library& library) {
  return library.name == LibraryName::gloo || library.name == LibraryName::mpi;
}

constexpr std::array<Protocol, 3> protocols{Protocol::ll, Protocol::ll128, Protocol::simple};
constexpr std::array<Algorithm, 9> algorithms{Algorithm::tree,
                                              Algorithm::ring,
                                              Algorithm::collnet_direct,
                                              Algorithm::collnet_chain,
                                              Algorithm::nvls,
                                              Algorithm::nvls_tree,
                                              Algorithm::pat,
                                              Algorithm::halving_doubling,
                                              Algorithm::point_to_point};

}  // namespace

CollectivePredictor::CollectivePredictor(const HardwareCatalog& catalog, const Cluster& cluster,
                                         CollectiveKind kind, const CollectiveGroup& group,
                                         const CollectiveSettings& settings)
    : constants_(catalog.collectives()),
      settings_(settings),
      terms_(group_terms(catalog, cluster, kind, group, settings)),
      machine_(nccl_machine(catalog, cluster, group, terms_)),
      class_(class_of(cluster, terms_)) {
  // Without constants of LL128 for the link the library cannot take it either.
  if (!terms_.link.ll128_step && settings_.protocols.empty())
    settings_.protocols = {Protocol::ll, Protocol::simple};
  if (settings_.library.name == LibraryName::nccl && machine_.compute_capability > 0)
    tuner_.emplace(machine_, kind, settings_);
  if (all(sized(terms_, Bytes(1))).empty()) {
    throw InputError("algorithm",
                     fmt::format("no algorithm and protocol left for {} of {} ranks on {} nodes",
                                 to_string(kind), group.ranks, group.nodes()),
                     "at least one that the hardware and the library know",
                     "allow ring with Simple, which always works");
  }
}

Spread CollectivePredictor::spread_of(double bytes) const {
  const double large = terms_.nodes > 1 ? 64 * mib : 16 * mib;
  return constants_.spread[class_][bytes < 64 * kib ? 0 : bytes < large ? 1 : 2];
}

CollectivePrediction CollectivePredictor::finish(Algorithm algorithm, Protocol protocol,
                                                 const GroupTerms& terms, const LawTime& time) const {
  CollectivePrediction result{algorithm, protocol, time, static_cast<int>(terms.channels),
                              spread_of(terms.size)};
  if (tuner_) {
    const NcclEntry entry{algorithm, protocol, 0, 0};
    result.channels = tuner_->used_channels(entry, terms.size);
  }
  if (runs_on_hosts(settings_.library)) result.channels = 0;
  // Launching the next call overlaps this one, so the slower of the two counts.
  double launch = 0;
  if (settings_.style == LaunchStyle::one_process)
    launch = constants_.one_process_launch.value() * terms.local;
  if (settings_.style == LaunchStyle::framework) launch = constants_.framework_launch.value();
  if (launch > result.time.total()) {
    result.time.latency += launch - result.time.total();
    result.time.binding = Binding::host;
  } else if (result.time.latency > result.time.transfer) {
    result.time.binding = Binding::latency;
  }
  return result;
}

std::vector<CollectivePrediction> CollectivePredictor::all(const GroupTerms& terms) const {
  std::vector<CollectivePrediction> list;
  for (const Algorithm algorithm : algorithms)
    for (const Protocol protocol : protocols) {
      if (!settings_.allows(algorithm) && algorithm != Algorithm::point_to_point) continue;
      if (!settings_.allows(protocol) && algorithm != Algorithm::point_to_point) continue;
      if (runs_on_hosts(settings_.library)) {
        if (protocol != Protocol::simple) continue;
        if (const auto time = host_law(algorithm, terms))
          list.push_back(finish(algorithm, protocol, terms, *time));
        continue;
      }
      const bool tuned_kind = algorithm != Algorithm::point_to_point;
      if (!tuned_kind && protocol != Protocol::simple) continue;
      if (tuner_ && tuned_kind) {
        const auto& entries = tuner_->entries();
        const bool known = std::any_of(entries.begin(), entries.end(), [&](const NcclEntry& entry) {
          return entry.algorithm == algorithm && entry.protocol == protocol;
        });
        if (!known) continue;
      } else if (tuned_kind && algorithm != Algorithm::ring && algorithm != Algorithm::tree) {
        continue;  // what other libraries have beyond rings and trees is not modelled
      } else if (algorithm == Algorithm::tree && (terms.n <= 2 || protocol == Protocol::simple)) {
        // Large messages of RCCL stay on rings: two nodes of three generations of MI3xx reach what their NICs
        // give a ring, where a tree would pass it.
        continue;
      }
      if (const auto time = law(algorithm, protocol, terms, constants_))
        list.push_back(finish(algorithm, protocol, terms, *time));
    }
  return list;
}

CollectivePrediction CollectivePredictor::fastest(const GroupTerms& terms) const {
  const auto list = all(terms);
  return *std::min_element(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.time.total() < b.time.total(); });
}

std::optional<CollectivePrediction> CollectivePredictor::tuned(const GroupTerms& terms) const {
  const NcclEntry* choice = tuner_ ? tuner_->choose(terms.size) : nullptr;
  if (!choice) return std::nullopt;
  const auto time = law(choice->algorithm, choice->protocol, terms, constants_);
  if (!time) return std::nullopt;
  return finish(choice->algorithm, choice->protocol, terms, *time);
}

CollectivePrediction CollectivePredictor::predict(Bytes bytes) const {
  const GroupTerms terms = sized(terms_, bytes);
  const CollectivePrediction best = fastest(terms);
  auto choice = tuned(terms);
  if (!choice) return best;
  // Which version runs is not known: it may choose better.
  if (!settings_.library.version)
    choice->spread.low *= std::min(1.0, best.time.total() / choice->time.total());
  return *choice;
}

std::vector<CollectivePrediction> CollectivePredictor::candidates(Bytes bytes) const {
  return all(sized(terms_, bytes));
}

Seconds CollectivePredictor::least(Algorithm algorithm, Bytes bytes) const {
  return Seconds(least_time(algorithm, sized(terms_, bytes)));
}

}  // namespace paceline
