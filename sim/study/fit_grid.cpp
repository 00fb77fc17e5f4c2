#include "sim/study/fit_grid.h"

#include <algorithm>
#include <cmath>

#include "sim/study/robust_fit.h"

namespace paceline {
namespace {

constexpr std::size_t nodes = 80;
constexpr double scale = 0.1, smoothing = 3, ridge = 1;
constexpr int rounds = 4;

// Pairs of nodes that differ by one in one index.
void add_smoothing(std::vector<double>& a) {
  const auto pair = [&](std::size_t one, std::size_t other) {
    a[one * nodes + one] += smoothing;
    a[other * nodes + other] += smoothing;
    a[one * nodes + other] -= smoothing;
    a[other * nodes + one] -= smoothing;
  };
  for (std::size_t node = 0; node < nodes; ++node) {
    if (node + 16 < nodes) pair(node, node + 16);
    if (node / 4 % 4 < 3) pair(node, node + 4);
    if (node % 4 < 3) pair(node, node + 1);
    a[node * nodes + node] += ridge;
  }
}

}  // namespace

CorrectionGrid fit_grid(const std::vector<KernelRow>& rows, const std::vector<double>& errors) {
  std::vector<double> grid(nodes, 0);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> a(nodes * nodes, 0), b(nodes, 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const GemmShape& shape = rows[row].gemm;
      const auto corners = CorrectionGrid::corners(shape.m, shape.n, shape.k);
      double left = errors[row];
      for (const auto& corner : corners) left += corner.weight * grid[corner.node];
      const double weight = 1 / std::sqrt(1 + left * left / (scale * scale));
      for (const auto& one : corners) {
        b[one.node] -= weight * one.weight * errors[row];
        for (const auto& other : corners)
          a[one.node * nodes + other.node] += weight * one.weight * other.weight;
      }
    }
    add_smoothing(a);
    grid = solve_symmetric(a, b);
  }
  CorrectionGrid::Percent percent{};
  for (std::size_t node = 0; node < nodes; ++node)
    percent[node / 16][node % 16] = std::clamp(std::round(grid[node] * 100), -100.0, 100.0);
  return CorrectionGrid(percent);
}

}  // namespace paceline
