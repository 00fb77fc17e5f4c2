// A table of small corrections over the logarithms of three sizes.
#pragma once

#include <array>
#include <cstddef>

namespace paceline {

// exp(trilinear interpolation in log2 of m, n, k) of percentages at fixed nodes; outside the nodes the value
// of the nearest edge holds, since a correction must not be extrapolated. Continuous.
class CorrectionGrid {
 public:
  static constexpr std::array<double, 5> m_nodes{1, 32, 256, 2048, 16384};
  static constexpr std::array<double, 4> side_nodes{64, 512, 4096, 32768};
  // percent[m][n * 4 + k]; all 0: no correction.
  using Percent = std::array<std::array<double, 16>, 5>;

  CorrectionGrid() = default;
  explicit CorrectionGrid(const Percent& percent) : percent_(percent) {}

  [[nodiscard]] double factor(double m, double n, double k) const;

  // The eight nodes around a shape and their weights, which add up to 1; a node's number is 16 m + 4 n + k of
  // its indices.
  struct Corner {
    std::size_t node;
    double weight;
  };
  [[nodiscard]] static std::array<Corner, 8> corners(double m, double n, double k);
  [[nodiscard]] const Percent& percent() const { return percent_; }

 private:
  Percent percent_{};
};

}  // namespace paceline
