// The clusters of an adaptive embedding and softmax: frequent words first, each further cluster with vectors
// `divisor` times narrower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/builders.h"

namespace paceline {

class VocabularyClusters {
 public:
  explicit VocabularyClusters(const TransformerXlSpec& spec);

  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::int64_t words(std::size_t cluster) const { return ends_[cluster] - begin(cluster); }
  [[nodiscard]] std::int64_t width(std::size_t cluster) const;
  // Of all tokens, by Zipf's law: (H(end) - H(begin)) / H(vocabulary), with the harmonic numbers H.
  [[nodiscard]] double share(std::size_t cluster) const;

 private:
  [[nodiscard]] std::int64_t begin(std::size_t cluster) const {
    return cluster == 0 ? 0 : ends_[cluster - 1];
  }
  std::vector<std::int64_t> ends_;
  std::int64_t widest_, divisor_;
};

}  // namespace paceline
