#include "sim/cost/kernel/expert_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

double cube(double value) { return value * value * value; }

double skew_of(const ExpertRates& rates, ExpertBalance balance) {
  if (balance == ExpertBalance::balanced) return 0;
  return balance == ExpertBalance::power_law_1_01 ? rates.skew_1_01 : rates.skew_1_2;
}

}  // namespace

Seconds expert_time(const ExpertRates& rates, int multiprocessors, const ExpertCall& shape) {
  const bool balanced = shape.balance == ExpertBalance::balanced;
  const double local = shape.experts / shape.expert_parallel;
  const double rows = shape.tokens * shape.top_k / shape.expert_parallel *
                      std::pow(shape.expert_parallel, skew_of(rates, shape.balance));
  const double active =
      balanced ? std::min(local, rows) : local * (1 - std::exp(-rates.active_share * rows / local));
  const double each = rows / active, ffn = shape.ffn / shape.tensor_parallel;
  const double matrices = shape.gated ? 3 : 2;
  const double weights = 2 * matrices * shape.hidden * ffn * active / rates.memory.value();
  const double first = std::ceil((matrices - 1) * ffn / 128), second = std::ceil(shape.hidden / 128);
  const double processors = multiprocessors;
  double least = std::numeric_limits<double>::infinity();
  for (double tile = 16; tile <= 128; tile *= 2) {
    const double row_tiles = balanced ? std::ceil(each / tile) : each / tile + 0.5;
    const double up = active * row_tiles * first, down = active * row_tiles * second;
    const double compute = 256 * tile *
                           (std::max(up / processors, 1.0) * (shape.hidden + rates.prologue) +
                            std::max(down / processors, 1.0) * (ffn + rates.prologue)) /
                           (rates.rate.value() / processors);
    const double l2 = 2 * (tile + 128) * (up * shape.hidden + down * ffn) / rates.l2.value();
    least = std::min(least, std::cbrt(cube(compute) + cube(l2) + cube(weights)));
  }
  const double permutation =
      rows * (4 * shape.hidden + 6 * ffn) * rates.permute_traffic / rates.memory.value();
  return rates.start + Seconds(least + permutation) + rates.k_step * ((shape.hidden + ffn) / 64);
}

}  // namespace paceline
