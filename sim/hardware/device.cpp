#include "sim/hardware/device.h"

#include <algorithm>

namespace paceline {

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names{"fp32", "tf32", "fp16", "bf16"};
  return names;
}

std::string to_string(Precision precision) { return precision_names()[static_cast<std::size_t>(precision)]; }

BytesPerSecond pcie_rate(int generation, int lanes) {
  constexpr std::array<double, 7> sixteen_lanes{0, 4, 8, 15.75, 31.5, 63, 121};  // GB/s, data sheet
  const auto index = static_cast<std::size_t>(std::clamp(generation, 1, 6));
  return gigabytes_per_second(sixteen_lanes[index] * lanes / 16);
}

}  // namespace paceline
