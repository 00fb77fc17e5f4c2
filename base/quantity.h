// Quantities with units: a time cannot be passed where bytes are expected, and GB (10^9) is never GiB (2^30).
//
// A quantity is a double in SI units inside (seconds, bytes, floating-point operations). Bytes are exact up
// to 2^53, far above any memory modelled here. Only operators with a physical meaning exist.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace paceline {

template <class Dimension>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  // The number in SI units: seconds, bytes, FLOP, bytes per second, FLOP per second.
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity(a.value_ / divisor); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double value_ = 0;
};

namespace dimension {
struct Time;
struct Information;
struct Work;
struct InformationRate;
struct WorkRate;
}  // namespace dimension

using Seconds = Quantity<dimension::Time>;
using Bytes = Quantity<dimension::Information>;
using Flops = Quantity<dimension::Work>;
using BytesPerSecond = Quantity<dimension::InformationRate>;
using FlopsPerSecond = Quantity<dimension::WorkRate>;

constexpr Seconds operator/(Bytes amount, BytesPerSecond rate) {
  return Seconds(amount.value() / rate.value());
}
constexpr Seconds operator/(Flops amount, FlopsPerSecond rate) {
  return Seconds(amount.value() / rate.value());
}
constexpr BytesPerSecond operator/(Bytes amount, Seconds time) {
  return BytesPerSecond(amount.value() / time.value());
}
constexpr FlopsPerSecond operator/(Flops amount, Seconds time) {
  return FlopsPerSecond(amount.value() / time.value());
}
constexpr Bytes operator*(BytesPerSecond rate, Seconds time) { return Bytes(rate.value() * time.value()); }
constexpr Flops operator*(FlopsPerSecond rate, Seconds time) { return Flops(rate.value() * time.value()); }

constexpr Seconds microseconds(double count) { return Seconds(count * 1e-6); }
constexpr Seconds milliseconds(double count) { return Seconds(count * 1e-3); }
constexpr Bytes kibibytes(double count) { return Bytes(count * 1024); }
constexpr Bytes mebibytes(double count) { return Bytes(count * 1024 * 1024); }
constexpr Bytes gibibytes(double count) { return Bytes(count * 1024 * 1024 * 1024); }
constexpr BytesPerSecond gigabytes_per_second(double count) { return BytesPerSecond(count * 1e9); }

// Reads "25MiB", "400 Gb/s", "312TFLOP/s", "1.5 ms". Prefixes k M G T P are powers of 1000, Ki Mi Gi Ti Pi
// powers of 1024; b is a bit, B a byte. Throws std::invalid_argument with what was found and the units that
// are known.
template <class Q>
Q parse_quantity(std::string_view text);

// What parse_quantity reads, in words: "an amount of data such as "25MiB"".
template <class Q>
std::string quantity_words();

// "104.2 ms", "25.6 MB", "12.5 GB/s", "15.7 TFLOP/s": four significant digits, decimal prefixes.
std::string to_string(Seconds time);
std::string to_string(Bytes amount);
std::string to_string(Flops work);
std::string to_string(BytesPerSecond rate);
std::string to_string(FlopsPerSecond rate);

// "14.9 GiB": the unit in which device memory is sold and reported.
std::string to_binary_string(Bytes amount);

}  // namespace paceline
