// Time of an optimizer step and of what surrounds it: bytes each implementation moves, launches it makes.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "sim/cost/kernel/memory_time.h"
#include "sim/strategy/framework.h"

namespace paceline {

// fused: one kernel over chunks of many tensors. foreach: one kernel an operation over chunks of many
// tensors. for_loop: one kernel an operation and tensor.
enum class OptimizerKernels : std::uint8_t { fused, foreach, for_loop };

struct OptimizerWork {
  Optimizer optimizer = Optimizer::adam;
  OptimizerKernels kernels = OptimizerKernels::fused;
  double parameters = 0, tensors = 0;
  // 16-bit weights and gradients with 32-bit master weights: the gradient is read in 16 bit, and the 16-bit
  // copy written.
  bool master_weights = false;
};

// Bytes of one parameter in a step, fp32 states:
//   fused     sgd 12, momentum 20, Adam 28, LAMB 52 (four passes with two norms between), LARS 28, RMSprop 28
//   foreach, for-loop: a read or write of 4 bytes for each operand of each operation: sgd 12, momentum 32,
//   Adam 80, RMSprop 44; LAMB and LARS as the fused one plus the two passes of temporaries, 100 and 44
[[nodiscard]] Bytes optimizer_bytes_per_parameter(Optimizer optimizer, OptimizerKernels kernels,
                                                  bool master_weights);
[[nodiscard]] double optimizer_launches(const OptimizerWork& work);
[[nodiscard]] Seconds optimizer_time(const MemoryRates& rates, const OptimizerWork& work);

// Clipping reads every gradient for the norm and, when it exceeds the limit, scales them in place.
[[nodiscard]] Bytes clipping_bytes(double parameters, double gradient_bytes, bool scales);
// Loss scaling: gradients are divided by the scale and checked for overflow in one pass.
[[nodiscard]] Bytes unscaling_bytes(double parameters, double gradient_bytes);

}  // namespace paceline
