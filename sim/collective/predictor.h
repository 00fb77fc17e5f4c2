// The time of one collective in one group, for any message: the library chooses algorithm and protocol, the
// law of the choice gives the time.
#pragma once

#include <vector>

#include "sim/collective/laws.h"
#include "sim/collective/nccl_tuner.h"
#include "sim/collective/reduce.h"

namespace paceline {

struct CollectivePrediction {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  LawTime time;
  int channels = 0;  // blocks of the kernel, so multiprocessors that it holds
  Spread spread;     // nine of ten measurements lie between time * low and time * high
};

class CollectivePredictor {
 public:
  // Throws InputError as group_terms does, and when the settings leave nothing to choose from.
  CollectivePredictor(const HardwareCatalog& catalog, const Cluster& cluster, CollectiveKind kind,
                      const CollectiveGroup& group, const CollectiveSettings& settings);

  [[nodiscard]] CollectivePrediction predict(Bytes bytes) const;
  // With every algorithm and protocol that the settings leave, whatever the library would take.
  [[nodiscard]] std::vector<CollectivePrediction> candidates(Bytes bytes) const;
  // No algorithm that adds up in the devices is faster: see least_time.
  [[nodiscard]] Seconds least(Algorithm algorithm, Bytes bytes) const;

  [[nodiscard]] const GroupTerms& terms() const { return terms_; }

 private:
  struct Choice {
    Algorithm algorithm = Algorithm::ring;
    Protocol protocol = Protocol::simple;
  };
  [[nodiscard]] std::vector<Choice> choices() const;
  [[nodiscard]] std::optional<CollectivePrediction> with(const Choice& choice, const GroupTerms& terms) const;
  [[nodiscard]] CollectivePrediction finish(const Choice& choice, const GroupTerms& terms,
                                            const LawTime& time) const;
  [[nodiscard]] std::vector<CollectivePrediction> all(const GroupTerms& terms) const;
  [[nodiscard]] CollectivePrediction fastest(const GroupTerms& terms) const;
  [[nodiscard]] std::optional<CollectivePrediction> tuned(const GroupTerms& terms) const;
  [[nodiscard]] Spread spread_of(double bytes) const;

  CollectiveConstants constants_;
  CollectiveSettings settings_;
  GroupTerms terms_;
  NcclMachine machine_;
  CollectiveConstants::Class class_ = CollectiveConstants::single_node;
  std::optional<NcclTuner> tuner_;  // of a library that is NCCL
  std::vector<Choice> choices_;     // that library, hardware and settings leave
};

}  // namespace paceline
