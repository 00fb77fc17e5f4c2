#include "sim/collective/predictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/collective/gloo.h"

namespace paceline {
namespace {

constexpr double kib = 1024, mib = 1024 * 1024;

bool runs_on_hosts(const Library& library) {
  return library.name == LibraryName::gloo || library.name == LibraryName::mpi;
}

bool is_between_peers(CollectiveKind kind) {
  return kind == CollectiveKind::all_to_all || kind == CollectiveKind::send_receive;
}

}  // namespace

CollectivePredictor::CollectivePredictor(const HardwareCatalog& catalog, const Cluster& cluster,
                                         CollectiveKind kind, const CollectiveGroup& group,
                                         const CollectiveSettings& settings)
    : constants_(catalog.collectives()),
      settings_(settings),
      terms_(group_terms(catalog, cluster, kind, group, settings)),
      machine_(nccl_machine(catalog, cluster, group, terms_)),
      class_(collective_class(cluster, terms_)) {
  if (settings_.library.name == LibraryName::nccl && machine_.compute_capability > 0)
    tuner_.emplace(machine_, kind, settings_);
  choices_ = choices();
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

CollectivePrediction CollectivePredictor::finish(const Choice& choice, const GroupTerms& terms,
                                                 const LawTime& time) const {
  CollectivePrediction result{choice.algorithm, choice.protocol, time, static_cast<int>(terms.channels),
                              spread_of(terms.size)};
  if (tuner_) result.channels = tuner_->used_channels(choice.algorithm, choice.protocol, terms.size);
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

std::vector<CollectivePredictor::Choice> CollectivePredictor::choices() const {
  if (is_between_peers(terms_.kind)) return {{Algorithm::point_to_point, Protocol::simple}};
  std::vector<Choice> list;
  if (tuner_) {
    for (const NcclEntry& entry : tuner_->entries()) list.push_back({entry.algorithm, entry.protocol});
    return list;
  }
  // What other libraries have beyond rings and trees is not modelled. Large messages of RCCL stay on rings:
  // two nodes of three generations of MI3xx reach what their NICs give a ring, where a tree would pass it.
  if (runs_on_hosts(settings_.library)) {
    list = {{Algorithm::ring, Protocol::simple}, {Algorithm::halving_doubling, Protocol::simple}};
  } else {
    if (terms_.n > 2) list = {{Algorithm::tree, Protocol::ll}, {Algorithm::tree, Protocol::ll128}};
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple})
      list.push_back({Algorithm::ring, protocol});
  }
  std::erase_if(list, [this](const Choice& choice) {
    return !settings_.allows(choice.algorithm) || !settings_.allows(choice.protocol);
  });
  return list;
}

std::optional<CollectivePrediction> CollectivePredictor::with(const Choice& choice,
                                                              const GroupTerms& terms) const {
  const auto time = runs_on_hosts(settings_.library)
                        ? host_law(choice.algorithm, terms)
                        : law(choice.algorithm, choice.protocol, terms, constants_);
  if (!time) return std::nullopt;
  return finish(choice, terms, *time);
}

std::vector<CollectivePrediction> CollectivePredictor::all(const GroupTerms& terms) const {
  std::vector<CollectivePrediction> list;
  for (const Choice& choice : choices_)
    if (const auto prediction = with(choice, terms)) list.push_back(*prediction);
  return list;
}

CollectivePrediction CollectivePredictor::fastest(const GroupTerms& terms) const {
  const auto list = all(terms);
  return *std::min_element(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.time.total() < b.time.total(); });
}

std::optional<CollectivePrediction> CollectivePredictor::tuned(const GroupTerms& terms) const {
  const NcclEntry* entry = tuner_ ? tuner_->choose(terms.size) : nullptr;
  if (!entry) return std::nullopt;
  return with({entry->algorithm, entry->protocol}, terms);
}

CollectivePrediction CollectivePredictor::predict(Bytes bytes) const {
  const GroupTerms terms = sized(terms_, bytes);
  auto choice = tuned(terms);
  if (!choice) return fastest(terms);
  // Which version runs is not known: it may choose better.
  if (!settings_.library.version)
    choice->spread.low *= std::min(1.0, fastest(terms).time.total() / choice->time.total());
  return *choice;
}

std::vector<CollectivePrediction> CollectivePredictor::candidates(Bytes bytes) const {
  return all(sized(terms_, bytes));
}

Seconds CollectivePredictor::least(Algorithm algorithm, Bytes bytes) const {
  return Seconds(least_time(algorithm, sized(terms_, bytes)));
}

}  // namespace paceline
