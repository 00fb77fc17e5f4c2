#include "sim/cost/profile_device.h"

#include <algorithm>
#include <cctype>

namespace paceline {
namespace {

// Letters and digits only, in lower case: "NVIDIA H100 80GB HBM3" and "h100-sxm5-80gb" are compared by these.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

bool profile_applies(const Profile& profile, const Device& device) {
  if (profile.backend == "cpu") return device.architecture == "cpu";
  const std::string measured = plain(profile.device);
  if (measured == plain(device.name) || measured == plain(device.title)) return true;
  return std::any_of(device.aliases.begin(), device.aliases.end(),
                     [&](const std::string& alias) { return measured == plain(alias); });
}

Device with_profile(Device device, const Profile& profile) {
  Bytes longest;
  for (const MeasuredMemory& pass : profile.memory)
    if (pass.operation == "copy" || pass.operation == "triad") longest = std::max(longest, pass.bytes);
  BytesPerSecond best;
  for (const MeasuredMemory& pass : profile.memory) {
    const bool counts = pass.operation == "copy" || pass.operation == "triad";
    if (counts && pass.bytes >= longest * 0.9) best = std::max(best, pass.bytes / pass.time.median);
  }
  if (best > BytesPerSecond(0)) device.memory_bandwidth = best;
  if (device.architecture != "cpu") return device;
  for (std::size_t precision = 0; precision < precision_count; ++precision) {
    for (const MeasuredGemm& gemm : profile.gemms) {
      if (gemm.precision != precision_names()[precision]) continue;
      const double products = static_cast<double>(gemm.m) * static_cast<double>(gemm.n) *
                              static_cast<double>(gemm.k) * static_cast<double>(gemm.batch);
      const FlopsPerSecond rate = Flops(2 * products) / gemm.time.median;
      device.peak[precision] = std::max(device.peak[precision].value_or(rate), rate);
    }
  }
  return device;
}

KernelRates with_profile(KernelRates rates, const Profile& profile) {
  if (profile.sustained_clock)
    rates.sustained_clock = SustainedClock{*profile.sustained_clock, 0, "profile of " + profile.device};
  return rates;
}

}  // namespace paceline
