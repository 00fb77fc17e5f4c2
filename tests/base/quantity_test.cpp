#include "base/quantity.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace paceline {
namespace {

TEST(Quantity, DecimalAndBinaryPrefixesDiffer) {
  // 1 GB = 10^9 B, 1 GiB = 2^30 B = 1,073,741,824 B.
  EXPECT_EQ(parse_quantity<Bytes>("1GB").value(), 1e9);
  EXPECT_EQ(parse_quantity<Bytes>("1GiB").value(), 1073741824.0);
  EXPECT_EQ(parse_quantity<Bytes>("25MiB").value(), 26214400.0);
}

TEST(Quantity, ABitIsAnEighthOfAByte) {
  // 400 Gb/s / 8 = 50 GB/s.
  EXPECT_EQ(parse_quantity<BytesPerSecond>("400Gb/s"), parse_quantity<BytesPerSecond>("50 GB/s"));
}

TEST(Quantity, DividingBytesByARateGivesATime) {
  // 100 MB / 10 GB/s = 10 ms.
  EXPECT_DOUBLE_EQ((Bytes(100e6) / gigabytes_per_second(10)).value(), 0.010);
}

TEST(Quantity, PrintsFourDigitsWithADecimalPrefix) {
  EXPECT_EQ(to_string(Seconds(0.1042)), "104.2 ms");
  EXPECT_EQ(to_string(Seconds(12e-6)), "12 µs");
  EXPECT_EQ(to_string(Bytes(102228128)), "102.2 MB");
  EXPECT_EQ(to_string(FlopsPerSecond(15.7e12)), "15.7 TFLOP/s");
  EXPECT_EQ(to_binary_string(Bytes(16.0 * 1073741824)), "16 GiB");
}

class QuantityRefuses : public ::testing::TestWithParam<const char*> {};

TEST_P(QuantityRefuses, TextThatIsNoDataRate) {
  EXPECT_THROW(parse_quantity<BytesPerSecond>(GetParam()), std::invalid_argument);
}
INSTANTIATE_TEST_SUITE_P(Texts, QuantityRefuses,
                         ::testing::Values("", "400", "Gb/s", "400Gb", "400 Xb/s", "nan GB/s", "4,5GB/s", "1GB/s/s"));

TEST(Quantity, TimesAndWorkParse) {
  EXPECT_DOUBLE_EQ(parse_quantity<Seconds>("1.5ms").value(), 0.0015);
  EXPECT_DOUBLE_EQ(parse_quantity<Seconds>("20 µs").value(), 20e-6);
  EXPECT_DOUBLE_EQ(parse_quantity<Seconds>("2min").value(), 120);
  EXPECT_DOUBLE_EQ(parse_quantity<FlopsPerSecond>("312TFLOP/s").value(), 312e12);
}

}  // namespace
}  // namespace paceline
