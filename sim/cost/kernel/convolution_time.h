// Time of a convolution's three kernels by implicit products, Winograd's transform or a streaming kernel.
//
//   forward          m = N Ho Wo, n = Cout, k = Cin / g Kh Kw
//   data gradient    m = N H W, n = Cin, k = Cout / g Kh Kw / stride^2
//   weight gradient  m = Cout, n = Cin / g Kh Kw, k = N Ho Wo
// The implicit product never writes the unfolded input, so the traffic is that of the three tensors. Groups
// are products of their own in one launch. Winograd saves multiplications in fp32 with stride 1 and 3 x 3
// kernels; on tensor cores its transforms cost more than it saves. Depthwise convolutions move data: several
// times the tensors (kernel library).
#pragma once

#include "base/quantity.h"
#include "sim/cost/kernel/gemm_time.h"
#include "sim/cost/kernel_library.h"
#include "sim/model/model.h"

namespace paceline {

enum class ConvolutionPass : std::uint8_t { forward, data_gradient, weight_gradient };

// The product behind a pass for `batch` samples, with the tensors' traffic.
[[nodiscard]] GemmShape implicit_product(const Convolution& convolution, double batch, ConvolutionPass pass,
                                         NumberFormat format);

[[nodiscard]] Seconds convolution_time(const GemmRates& rates, int multiprocessors,
                                       const KernelLibrary& library, const Convolution& convolution,
                                       double batch, ConvolutionPass pass, NumberFormat format,
                                       const GemmConditions& conditions = {});

}  // namespace paceline
