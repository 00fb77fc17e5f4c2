// The direct links between every two devices of a node, with the rings they carry.
#pragma once

#include <vector>

#include "sim/hardware/ring_search.h"

namespace paceline {

class LinkMatrix {
 public:
  static constexpr int most_devices = 16;

  LinkMatrix() = default;  // none given
  // Symmetric, zero on the diagonal, 2 to most_devices rows; the caller has checked it. Counts the rings of
  // every group of leading devices once, since they are asked for often.
  explicit LinkMatrix(LinkCounts counts);

  [[nodiscard]] bool empty() const { return counts_.empty(); }
  [[nodiscard]] int devices() const { return static_cast<int>(counts_.size()); }
  [[nodiscard]] const LinkCounts& counts() const { return counts_; }
  // Rings among devices 0 ... n-1, 2 <= n <= devices().
  [[nodiscard]] RingCount rings(int n) const { return rings_[static_cast<std::size_t>(n)]; }
  // Links of the device that has the most.
  [[nodiscard]] int most_links() const;

 private:
  LinkCounts counts_;
  std::vector<RingCount> rings_;
};

}  // namespace paceline
