// Properties that hold for every quantity.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/quantity.h"

namespace paceline {
namespace {

// From 1e-9 up to `largest`, each power of ten as likely as the next.
double any_value(int largest_power) {
  const int power = *rc::gen::inRange(-9, largest_power);
  const int digits = *rc::gen::inRange(1000, 9999);
  return digits * std::pow(10.0, power - 3);
}

// What is printed has four digits, so it is at most half a unit of the fourth digit off.
template <class Q>
void expect_printed_value_parses_back(double value) {
  const Q quantity(value);
  const std::string text = to_string(quantity);
  const Q parsed = parse_quantity<Q>(text);
  if (std::abs(parsed / quantity - 1) > 0.5001e-3) RC_FAIL(fmt::format("{} was printed as {}", value, text));
}

RC_GTEST_PROP(QuantityProperty, PrintedValuesParseBack, ()) {
  expect_printed_value_parses_back<Seconds>(any_value(5));
  expect_printed_value_parses_back<Bytes>(any_value(17));
  expect_printed_value_parses_back<Flops>(any_value(18));
  expect_printed_value_parses_back<BytesPerSecond>(any_value(15));
  expect_printed_value_parses_back<FlopsPerSecond>(any_value(18));
}

RC_GTEST_PROP(QuantityProperty, BinaryPrefixesParseBack, ()) {
  const Bytes amount(std::floor(any_value(16)) + 1);
  RC_ASSERT(std::abs(parse_quantity<Bytes>(to_binary_string(amount)) / amount - 1) < 0.51e-3);
}

RC_GTEST_PROP(QuantityProperty, EveryDigitOfANumberWithAUnitCounts, ()) {
  const double value = any_value(9);
  RC_ASSERT(parse_quantity<Bytes>(fmt::format("{:.17g}B", value)) == Bytes(value));
  RC_ASSERT(parse_quantity<Seconds>(fmt::format("{:.17g} s", value)) == Seconds(value));
}

RC_GTEST_PROP(QuantityProperty, TextIsParsedOrRefusedButNeverCrashes, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789.-+eEkKMGTPi uµnBbs/FLOPh")));
  try {
    RC_ASSERT(std::isfinite(parse_quantity<BytesPerSecond>(text).value()));
  } catch (const std::invalid_argument&) {
    RC_SUCCEED("refused");
  }
}

}  // namespace
}  // namespace paceline
