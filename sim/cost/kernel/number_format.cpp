#include "sim/cost/kernel/number_format.h"

#include <array>

namespace paceline {

const std::vector<std::string>& number_format_names() {
  static const std::vector<std::string> names{"fp32", "tf32", "fp16", "bf16", "fp8"};
  return names;
}

std::string to_string(NumberFormat format) { return number_format_names()[static_cast<std::size_t>(format)]; }

double operand_bytes(NumberFormat format) {
  constexpr std::array<double, number_format_count> bytes{4, 4, 2, 2, 1};
  return bytes[static_cast<std::size_t>(format)];
}

double result_bytes(NumberFormat format) { return format == NumberFormat::fp8 ? 2 : operand_bytes(format); }

}  // namespace paceline
