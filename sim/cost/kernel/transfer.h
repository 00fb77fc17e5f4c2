// Kernel rates of a device that nobody has measured, from those of one of its architecture.
#pragma once

#include <optional>

#include "sim/cost/kernel/kernel_rates.h"
#include "sim/hardware/device.h"

namespace paceline {

// `known`'s rates scaled by the data sheets: arithmetic and L2 by the ratio of the peaks, memory by that of
// the bandwidths, latency by the square root of the inverse ratio of the rates of one processor, the epilogue
// by that ratio; starts and shares stay. The sustained clock is that of its
// file, or the known one times the ratio of the boards' clock factors, at most that. Carries a
// transfer_uncertainty and a note that says so. Throws InputError when a sheet lacks the processors.
[[nodiscard]] KernelRates transferred(const KernelRates& known, const Device& from, const Device& to);

// The rates of the number format, scaled by peaks from bf16's (fp16 equals it) where the table has none;
// nothing where that is not known either.
[[nodiscard]] std::optional<GemmRates> gemm_rates_for(const KernelRates& rates, const Device& device,
                                                      NumberFormat format);

}  // namespace paceline
