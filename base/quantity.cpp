#include "base/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace paceline {
namespace {

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr double kibi = 1024.0;
// Two-letter prefixes first: "Mi" must not be read as "M" followed by "i".
constexpr std::array<Prefix, 15> prefixes{{{"Ki", kibi},
                                           {"Mi", kibi* kibi},
                                           {"Gi", kibi* kibi* kibi},
                                           {"Ti", kibi* kibi* kibi* kibi},
                                           {"Pi", kibi* kibi* kibi* kibi* kibi},
                                           {"k", 1e3},
                                           {"K", 1e3},
                                           {"M", 1e6},
                                           {"G", 1e9},
                                           {"T", 1e12},
                                           {"P", 1e15},
                                           {"m", 1e-3},
                                           {"u", 1e-6},
                                           {"µ", 1e-6},
                                           {"n", 1e-9}}};

struct Unit {
  std::string_view text;
  double factor;
};

template <class Q>
struct Traits;
template <>
struct Traits<Seconds> {
  static constexpr std::array<Unit, 3> units{{{"s", 1}, {"min", 60}, {"h", 3600}}};
  static constexpr std::string_view name = "a time", example = "1.5ms", prefixes = "num\xc2";
};
template <>
struct Traits<Bytes> {
  static constexpr std::array<Unit, 1> units{{{"B", 1}}};
  static constexpr std::string_view name = "an amount of data", example = "25MiB", prefixes = "kKMGTP";
};
template <>
struct Traits<Flops> {
  static constexpr std::array<Unit, 2> units{{{"FLOP", 1}, {"FLOPs", 1}}};
  static constexpr std::string_view name = "an amount of work", example = "12GFLOP", prefixes = "kKMGTP";
};
template <>
struct Traits<BytesPerSecond> {
  static constexpr std::array<Unit, 6> units{
      {{"B/s", 1}, {"b/s", 0.125}, {"bit/s", 0.125}, {"bps", 0.125}, {"Bps", 1}, {"byte/s", 1}}};
  static constexpr std::string_view name = "a data rate", example = "400Gb/s\" or \"50GB/s",
                                    prefixes = "kKMGTP";
};
template <>
struct Traits<FlopsPerSecond> {
  static constexpr std::array<Unit, 2> units{{{"FLOP/s", 1}, {"FLOPS", 1}}};
  static constexpr std::string_view name = "a compute rate", example = "312TFLOP/s", prefixes = "kKMGTP";
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The factor of "GiB/s" and the like, or nothing.
template <class Q>
bool unit_factor(std::string_view text, double& factor) {
  for (const Unit& unit : Traits<Q>::units) {
    if (text == unit.text) {
      factor = unit.factor;
      return true;
    }
  }
  for (const Prefix& prefix : prefixes) {
    if (!text.starts_with(prefix.text) ||
        Traits<Q>::prefixes.find(prefix.text.front()) == std::string_view::npos)
      continue;
    for (const Unit& unit : Traits<Q>::units) {
      if (text.substr(prefix.text.size()) == unit.text) {
        factor = prefix.factor * unit.factor;
        return true;
      }
    }
  }
  return false;
}

std::string with_decimal_prefix(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 6> names{"", "k", "M", "G", "T", "P"};
  std::size_t index = 0;
  double scaled = value;
  while (std::abs(scaled) >= 999.95 && index + 1 < names.size()) {
    scaled /= 1000;
    ++index;
  }
  return fmt::format("{:.4g} {}{}", scaled, names[index], unit);
}

}  // namespace

template <class Q>
Q parse_quantity(std::string_view text) {
  const std::string_view trimmed = trim(text);
  double number = 0;
  const auto [end, status] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), number);
  const std::string_view rest = trim(trimmed.substr(static_cast<std::size_t>(end - trimmed.data())));
  double factor = 1;
  if (status != std::errc() || !unit_factor<Q>(rest, factor) || !std::isfinite(number * factor))
    throw std::invalid_argument(fmt::format("\"{}\" is not {}", text, quantity_words<Q>()));
  return Q(number * factor);
}

template <class Q>
std::string quantity_words() {
  return fmt::format("{} such as \"{}\"", Traits<Q>::name, Traits<Q>::example);
}

template Seconds parse_quantity<Seconds>(std::string_view);
template Bytes parse_quantity<Bytes>(std::string_view);
template Flops parse_quantity<Flops>(std::string_view);
template BytesPerSecond parse_quantity<BytesPerSecond>(std::string_view);
template FlopsPerSecond parse_quantity<FlopsPerSecond>(std::string_view);
template std::string quantity_words<Seconds>();
template std::string quantity_words<Bytes>();
template std::string quantity_words<Flops>();
template std::string quantity_words<BytesPerSecond>();
template std::string quantity_words<FlopsPerSecond>();

std::string to_string(Seconds time) {
  const double seconds = time.value();
  const double size = std::abs(seconds);
  if (size == 0) return "0 s";
  if (size < 0.9995e-6) return fmt::format("{:.4g} ns", seconds * 1e9);
  if (size < 0.9995e-3) return fmt::format("{:.4g} µs", seconds * 1e6);
  if (size < 0.9995) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}
std::string to_string(Bytes amount) { return with_decimal_prefix(amount.value(), "B"); }
std::string to_string(Flops work) { return with_decimal_prefix(work.value(), "FLOP"); }
std::string to_string(BytesPerSecond rate) { return with_decimal_prefix(rate.value(), "B/s"); }
std::string to_string(FlopsPerSecond rate) { return with_decimal_prefix(rate.value(), "FLOP/s"); }

std::string to_binary_string(Bytes amount) {
  constexpr std::array<std::string_view, 5> names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t index = 0;
  double scaled = amount.value();
  while (std::abs(scaled) >= 1023.95 && index + 1 < names.size()) {
    scaled /= 1024;
    ++index;
  }
  return fmt::format("{:.4g} {}", scaled, names[index]);
}

}  // namespace paceline
