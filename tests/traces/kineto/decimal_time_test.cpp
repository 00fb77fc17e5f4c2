#include "traces/kineto/decimal_time.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(DecimalTime, MicrosecondsBecomeNanosecondsExactly) {
  EXPECT_EQ(parse_microseconds("0"), 0);
  EXPECT_EQ(parse_microseconds("12"), 12000);
  EXPECT_EQ(parse_microseconds("12.5"), 12500);
  EXPECT_EQ(parse_microseconds("-0.001"), -1);
  EXPECT_EQ(parse_microseconds("+1"), 1000);
  EXPECT_EQ(parse_microseconds(".25"), 250);
  EXPECT_EQ(parse_microseconds("7."), 7000);
  // As a double this is a quarter of a microsecond off.
  EXPECT_EQ(parse_microseconds("1712195495406752.123"), 1712195495406752123);
}

TEST(DecimalTime, RoundsHalfAwayFromZeroBeyondANanosecond) {
  EXPECT_EQ(parse_microseconds("0.0004"), 0);
  EXPECT_EQ(parse_microseconds("0.0005"), 1);
  EXPECT_EQ(parse_microseconds("-0.0005"), -1);
  EXPECT_EQ(parse_microseconds("0.0009999999999999999999999"), 1);
  EXPECT_EQ(parse_microseconds("0.00005"), 0);
  EXPECT_EQ(parse_microseconds("1.9995"), 2000);
}

TEST(DecimalTime, ExponentsMoveThePoint) {
  EXPECT_EQ(parse_microseconds("1.5e3"), 1500000);
  EXPECT_EQ(parse_microseconds("1.5E+3"), 1500000);
  EXPECT_EQ(parse_microseconds("25e-3"), 25);
  EXPECT_EQ(parse_microseconds("1e-400"), 0);
  EXPECT_EQ(parse_microseconds("0e400"), 0);
}

TEST(DecimalTime, RefusesWhatIsNoTimeOrDoesNotFit) {
  for (const char* text : {"", "-", ".", "abc", "1x", "1e", "1e5x", "NaN", "0x10", "1.2.3", "1e99999999999"})
    EXPECT_FALSE(parse_microseconds(text).has_value()) << text;
  // 2^61 ns = 2,305,843,009,213,693,952 ns.
  EXPECT_EQ(parse_microseconds("2305843009213693.952"), 2305843009213693952);
  EXPECT_FALSE(parse_microseconds("2305843009213693.953").has_value());
  EXPECT_FALSE(parse_microseconds("99999999999999999999999999").has_value());
  EXPECT_FALSE(parse_microseconds("1e300").has_value());
}

}  // namespace
}  // namespace paceline
