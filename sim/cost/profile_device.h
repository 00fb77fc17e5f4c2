// A Profile's figures in place of a data sheet's, for the device that it was measured on.
#pragma once

#include "base/profile.h"
#include "sim/cost/kernel/kernel_rates.h"
#include "sim/hardware/device.h"

namespace paceline {

// A profile of a CPU speaks for CPU clusters; one of a GPU for the device whose name or alias it names.
[[nodiscard]] bool profile_applies(const Profile& profile, const Device& device);

// The device with the profile's memory bandwidth (the largest copy or triad of its longest pass: caches must
// not count) and, for a CPU, its best matrix product as peak.
[[nodiscard]] Device with_profile(Device device, const Profile& profile);

// The rates with the profile's sustained clock, if it has one.
[[nodiscard]] KernelRates with_profile(KernelRates rates, const Profile& profile);

}  // namespace paceline
