#include "sim/cost/kernel/optimizer_time.h"

#include <array>
#include <cmath>

namespace paceline {
namespace {

struct Figures {
  double fused_bytes, unfused_bytes;
  double operations;  // of the unfused implementation
};

// In the order of Optimizer: sgd, momentum, adam, lamb, lars, rmsprop.
constexpr std::array<Figures, optimizer_count> figures{
    {{12, 12, 1}, {20, 32, 3}, {28, 80, 8}, {52, 100, 12}, {28, 44, 6}, {28, 44, 5}}};

// A multi-tensor kernel takes tensors by the dozen, bounded by the size of its argument block.
constexpr double tensors_a_launch = 30;

}  // namespace

Bytes optimizer_bytes_per_parameter(Optimizer optimizer, OptimizerKernels kernels, bool master_weights) {
  const Figures& each = figures[static_cast<std::size_t>(optimizer)];
  const double bytes = kernels == OptimizerKernels::fused ? each.fused_bytes : each.unfused_bytes;
  // 2 bytes less of gradient, 2 more of the copy; unfused, the gradient is cast first (2 + 4) and the weights
  // copied after (4 + 2).
  if (!master_weights || kernels == OptimizerKernels::fused) return Bytes(bytes);
  return Bytes(bytes + 12);
}

double optimizer_launches(const OptimizerWork& work) {
  const Figures& each = figures[static_cast<std::size_t>(work.optimizer)];
  if (work.kernels == OptimizerKernels::for_loop) return each.operations * work.tensors;
  const double groups = std::ceil(work.tensors / tensors_a_launch);
  return groups * (work.kernels == OptimizerKernels::fused ? 1 : each.operations);
}

Seconds optimizer_time(const MemoryRates& rates, const OptimizerWork& work) {
  const Bytes each = optimizer_bytes_per_parameter(work.optimizer, work.kernels, work.master_weights);
  return memory_time(rates, each * work.parameters, optimizer_launches(work));
}

Bytes clipping_bytes(double parameters, double gradient_bytes, bool scales) {
  return Bytes(parameters * gradient_bytes * (scales ? 3 : 1));
}

Bytes unscaling_bytes(double parameters, double gradient_bytes) {
  return Bytes(parameters * gradient_bytes * 2);
}

}  // namespace paceline
