#include "sim/study/fit_start.h"

#include "base/error.h"
#include "sim/cost/kernel/transfer.h"

namespace paceline {

KernelRates start_of_fit(const Catalog& catalog, const std::string& device) {
  const Device& to = catalog.hardware.device(device);
  if (const auto rates = catalog.kernel_rates.rates_of(catalog.hardware, to)) return *rates;
  const KernelRates& nearest = catalog.kernel_rates.nearest(catalog.hardware, to);
  return transferred(nearest, catalog.hardware.device(nearest.device), to);
}

GemmRates gemm_rates_to_start(const KernelRates& rates, const Device& device, NumberFormat format) {
  if (auto gemm = gemm_rates_for(rates, device, format)) return *gemm;
  throw InputError("dtype", to_string(format), "a number format that " + device.title + " has a peak for",
                   "leave these rows out");
}

}  // namespace paceline
