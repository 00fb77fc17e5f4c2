#include "sim/cost/kernel/kernel_rates_catalog.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "sim/cost/kernel/transfer.h"

namespace paceline {
namespace {

double bf16_peak(const Device& device) {
  const auto& peak = device.peak[static_cast<std::size_t>(Precision::bf16)];
  const auto& fp16 = device.peak[static_cast<std::size_t>(Precision::fp16)];
  return peak ? peak->value() : fp16 ? fp16->value() : 0;
}

// How far apart two data sheets are, in logarithms.
double distance(const Device& a, const Device& b) {
  if (bf16_peak(a) == 0 || bf16_peak(b) == 0 || !a.multiprocessors || !b.multiprocessors)
    return std::numeric_limits<double>::infinity();
  return std::abs(std::log(bf16_peak(a) / bf16_peak(b))) +
         std::abs(std::log(a.memory_bandwidth / b.memory_bandwidth));
}

}  // namespace

KernelRatesCatalog KernelRatesCatalog::load(const std::string& folder) {
  KernelRatesCatalog catalog;
  catalog.rates_ = read_all_kernel_rates(folder);
  return catalog;
}

const KernelRates* KernelRatesCatalog::measured(const std::string& device) const {
  for (const KernelRates& rates : rates_)
    if (rates.device == device ||
        std::find(rates.aliases.begin(), rates.aliases.end(), device) != rates.aliases.end())
      return &rates;
  return nullptr;
}

const KernelRates* KernelRatesCatalog::nearest_of(const HardwareCatalog& hardware, const Device& device,
                                                  bool same_architecture) const {
  const KernelRates* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const KernelRates& rates : rates_) {
    if (!hardware.has_device(rates.device)) continue;
    const Device& other = hardware.device(rates.device);
    const double apart = distance(other, device);
    if ((same_architecture && other.architecture != device.architecture) || apart >= least) continue;
    least = apart;
    nearest = &rates;
  }
  return nearest;
}

std::optional<KernelRates> KernelRatesCatalog::rates_of(const HardwareCatalog& hardware,
                                                        const Device& device) const {
  if (const KernelRates* own = measured(device.name)) return *own;
  const KernelRates* nearest = nearest_of(hardware, device, true);
  if (!nearest) return std::nullopt;
  return transferred(*nearest, hardware.device(nearest->device), device);
}

const KernelRates& KernelRatesCatalog::nearest(const HardwareCatalog& hardware, const Device& device) const {
  if (const KernelRates* rates = nearest_of(hardware, device, false)) return *rates;
  throw InputError("device", device.name,
                   "a device with a 16-bit peak and a number of multiprocessors in its file",
                   "add them, or choose another device");
}

}  // namespace paceline
