// Constants of the kernel libraries that every device of a vendor shares.
#pragma once

#include <array>
#include <string>

#include "base/quantity.h"
#include "sim/hardware/device.h"

namespace paceline {

struct KernelLibrary {
  double winograd_factor = 1;  // fp32: fewer multiplications than the direct convolution
  std::array<double, precision_count> grouped_efficiency{}, attention_efficiency{};
  std::array<double, precision_count> depthwise_traffic{};  // multiple of the ideal bytes
  double layout_transpose = 0;  // NCHW with tensor cores: share of the operands copied around a convolution
  Seconds kernel_overhead;      // ramp-up and drain of a kernel
  Seconds backward_overhead;    // of a memory-bound operator's backward
  double time_spread = 0;       // relative standard deviation of a rank's compute time from step to step
  double node_spread = 1;       // time of the slowest device of a node over that of one, on compute
  double fused_swish = 1, fused_add = 1;  // traffic left after fusion
};

[[nodiscard]] KernelLibrary read_kernel_library(const std::string& file);

}  // namespace paceline
