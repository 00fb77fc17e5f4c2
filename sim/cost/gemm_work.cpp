#include "sim/cost/gemm_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

struct Tile {
  double rows, columns, efficiency;
};
constexpr std::array<Tile, 5> tiles{
    {{128, 128, 1}, {128, 64, 0.93}, {64, 64, 0.85}, {64, 32, 0.6}, {256, 128, 1}}};
constexpr std::array<double, 4> splits{1, 4, 16, 64};
constexpr double hidden_tail = 0.7;
constexpr double split_cost = 1.05;  // the partial sums are added by a second pass
constexpr double depth_step = 32;    // k is consumed in steps of this many elements
constexpr double prologue = 64;      // loads before the first product, in elements of k

double tile_work(const Tile& tile, double m, double n, double k, double split, double processors) {
  const double blocks = std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
  const double x = blocks * split / processors;
  const double waves = std::ceil(x);
  const double quantised = waves + hidden_tail * (std::max(x, 1.0) - waves);
  const double depth = depth_step * std::ceil(k / split / depth_step) + prologue;
  const double work = quantised * processors * 2 * tile.rows * tile.columns * depth / tile.efficiency;
  return split > 1 ? work * split_cost : work;
}

}  // namespace

Flops quantised_gemm_work(double m, double n, double k, int multiprocessors) {
  const double processors = multiprocessors;
  double least = std::numeric_limits<double>::infinity();
  for (const Tile& tile : tiles) {
    const double blocks = std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
    for (const double split : splits) {
      if (split > 1 && (k / split < 256 || blocks * split > 4 * processors)) break;
      least = std::min(least, tile_work(tile, m, n, k, split, processors));
    }
  }
  return Flops(least);
}

}  // namespace paceline
