// Where a fit of kernel rates starts from.
#pragma once

#include <string>

#include "sim/study/catalog.h"

namespace paceline {

// The device's own or inherited rates; else, scaled by data sheet, those of the measured device whose sheet
// is nearest. Throws InputError when the device's file says too little.
[[nodiscard]] KernelRates start_of_fit(const Catalog& catalog, const std::string& device);

// The format's numbers, or bf16's for a format that they do not have. Throws InputError where neither helps.
[[nodiscard]] GemmRates gemm_rates_to_start(const KernelRates& rates, const Device& device,
                                            NumberFormat format);

}  // namespace paceline
