#include "traces/kineto/decimal_time.h"

#include <charconv>

namespace paceline {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 61U;
constexpr std::uint64_t mantissa_limit = 1'000'000'000'000'000'000U;

struct Decimal {
  std::uint64_t mantissa = 0;
  int exponent = 0;  // value = mantissa * 10^exponent
};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Digits with at most one point. Digits that no longer fit cannot matter: what they leave out is below 10^-18
// of it.
std::optional<Decimal> take_digits(std::string_view& text) {
  Decimal number;
  bool any = false;
  bool point = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.front() == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(text.front())) break;
    any = true;
    if (number.mantissa < mantissa_limit) {
      number.mantissa = number.mantissa * 10 + static_cast<std::uint64_t>(text.front() - '0');
      if (point) --number.exponent;
    } else if (!point) {
      ++number.exponent;
    }
  }
  if (!any) return std::nullopt;
  return number;
}

bool take_exponent(std::string_view text, int& exponent) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > 1000 || value < -1000) return false;
  exponent += value;
  return true;
}

std::optional<std::uint64_t> scaled(Decimal number) {
  for (; number.exponent > 0 && number.mantissa != 0; --number.exponent) {
    if (number.mantissa > largest / 10) return std::nullopt;
    number.mantissa *= 10;
  }
  std::uint64_t divisor = 1;
  // Ends at 10^19 at the latest: the mantissa is below.
  for (; number.exponent < 0 && number.mantissa / divisor != 0; ++number.exponent) divisor *= 10;
  if (number.exponent < 0) return 0;  // below a tenth of a nanosecond
  const std::uint64_t rest = number.mantissa % divisor;
  const std::uint64_t value = number.mantissa / divisor + (rest >= divisor - rest && rest != 0 ? 1 : 0);
  if (value > largest) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Nanoseconds> parse_microseconds(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  auto number = take_digits(text);
  if (!number) return std::nullopt;
  number->exponent += 3;
  if (!take_exponent(text, number->exponent)) return std::nullopt;
  const auto magnitude = scaled(*number);
  if (!magnitude) return std::nullopt;
  const auto value = static_cast<Nanoseconds>(*magnitude);
  return negative ? -value : value;
}

}  // namespace paceline
