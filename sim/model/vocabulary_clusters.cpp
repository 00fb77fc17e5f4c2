#include "sim/model/vocabulary_clusters.h"

#include <cmath>

namespace paceline {
namespace {

double harmonic(std::int64_t count) {
  constexpr double euler_mascheroni = 0.5772156649;
  return count < 1 ? 0 : std::log(static_cast<double>(count)) + euler_mascheroni;
}

}  // namespace

VocabularyClusters::VocabularyClusters(const TransformerXlSpec& spec)
    : ends_(spec.cutoffs), widest_(spec.hidden), divisor_(spec.divisor) {
  ends_.push_back(spec.vocabulary);
}

std::int64_t VocabularyClusters::width(std::size_t cluster) const {
  std::int64_t size = widest_;
  for (std::size_t index = 0; index < cluster; ++index) size /= divisor_;
  return size;
}

double VocabularyClusters::share(std::size_t cluster) const {
  return (harmonic(ends_[cluster]) - harmonic(begin(cluster))) / harmonic(ends_.back());
}

}  // namespace paceline
