// What a kernel's operands are stored in. Finer than a training step's Precision: fp8 is a kernel's business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline {

enum class NumberFormat : std::uint8_t { fp32, tf32, fp16, bf16, fp8 };
constexpr std::size_t number_format_count = 5;
[[nodiscard]] const std::vector<std::string>& number_format_names();
[[nodiscard]] std::string to_string(NumberFormat format);
// Bytes of an operand's element in memory; tf32 is fp32 rounded on the way into the tensor cores.
[[nodiscard]] double operand_bytes(NumberFormat format);
// Bytes of a result's element: fp8 products are written in 16 bit.
[[nodiscard]] double result_bytes(NumberFormat format);

}  // namespace paceline
