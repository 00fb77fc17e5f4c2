#include "sim/cost/kernel/correction_grid.h"

#include <cmath>
#include <cstddef>

namespace paceline {
namespace {

// Where a size lies between two nodes.
struct Place {
  std::size_t lower;
  double share;  // of the upper node
};

template <std::size_t count>
Place place_of(const std::array<double, count>& nodes, double size) {
  if (size <= nodes.front()) return {0, 0};
  if (size >= nodes.back()) return {count - 2, 1};
  std::size_t lower = 0;
  while (nodes[lower + 1] < size) ++lower;
  return {lower, std::log2(size / nodes[lower]) / std::log2(nodes[lower + 1] / nodes[lower])};
}

}  // namespace

std::array<CorrectionGrid::Corner, 8> CorrectionGrid::corners(double m, double n, double k) {
  const Place a = place_of(m_nodes, m), b = place_of(side_nodes, n), c = place_of(side_nodes, k);
  std::array<Corner, 8> result{};
  for (std::size_t corner = 0; corner < result.size(); ++corner) {
    const std::size_t up_m = corner / 4, up_n = corner / 2 % 2, up_k = corner % 2;
    const double weight = (up_m == 1 ? a.share : 1 - a.share) * (up_n == 1 ? b.share : 1 - b.share) *
                          (up_k == 1 ? c.share : 1 - c.share);
    result[corner] = {(a.lower + up_m) * 16 + (b.lower + up_n) * 4 + c.lower + up_k, weight};
  }
  return result;
}

double CorrectionGrid::factor(double m, double n, double k) const {
  double percent = 0;
  for (const Corner& corner : corners(m, n, k))
    percent += corner.weight * percent_[corner.node / 16][corner.node % 16];
  return std::exp(percent / 100);
}

}  // namespace paceline
