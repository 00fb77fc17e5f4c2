#include "sim/hardware/link_matrix.h"

#include <algorithm>
#include <numeric>

namespace paceline {

LinkMatrix::LinkMatrix(LinkCounts counts) : counts_(std::move(counts)), rings_(counts_.size() + 1) {
  for (int n = 2; n <= devices(); ++n) rings_[static_cast<std::size_t>(n)] = count_rings(counts_, n);
}

int LinkMatrix::most_links() const {
  int most = 0;
  for (const auto& row : counts_) most = std::max(most, std::accumulate(row.begin(), row.end(), 0));
  return most;
}

}  // namespace paceline
