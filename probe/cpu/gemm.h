// Matrix products on the CPU through OpenBLAS.
#pragma once

#include <string>
#include <vector>

#include "probe/probe_run.h"

namespace paceline {

struct GemmShape {
  int m, n, k;
};

// Square and skinny: the shapes of layers with large, small and very small batches.
std::vector<GemmShape> gemm_shapes(bool quick);

// fp32 and fp64. Throws DeviceError if OpenBLAS and a plain loop disagree about a product.
void measure_gemms(const ProbeRun& run, Profile& profile);

}  // namespace paceline
