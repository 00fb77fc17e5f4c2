// Kernel rates by device: measured ones, and those that a device inherits from its architecture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cost/kernel/kernel_rates.h"
#include "sim/hardware/hardware_catalog.h"

namespace paceline {

class KernelRatesCatalog {
 public:
  // Every "paceline/kernel-rates-1" file of `folder`. Throws InputError.
  static KernelRatesCatalog load(const std::string& folder);

  // The measured rates of a device by its name or by what tables call it; null when it has none of its own.
  [[nodiscard]] const KernelRates* measured(const std::string& device) const;
  // Its own, or those of the measured device of its architecture whose data sheet is nearest, scaled; nothing
  // for an architecture of which no device was measured.
  [[nodiscard]] std::optional<KernelRates> rates_of(const HardwareCatalog& hardware,
                                                    const Device& device) const;
  // Those of the measured device whose data sheet is nearest, whatever its architecture. Throws InputError
  // when no device was measured.
  [[nodiscard]] const KernelRates& nearest(const HardwareCatalog& hardware, const Device& device) const;
  [[nodiscard]] const std::vector<KernelRates>& all() const { return rates_; }

 private:
  [[nodiscard]] const KernelRates* nearest_of(const HardwareCatalog& hardware, const Device& device,
                                              bool same_architecture) const;

  std::vector<KernelRates> rates_;
};

}  // namespace paceline
