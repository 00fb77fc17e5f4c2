#include "base/quantity.h"

#include <gtest/gtest.h>

#include <initializer_list>
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
                         ::testing::Values("", "400", "Gb/s", "400Gb", "400 Xb/s", "nan GB/s", "4,5GB/s",
                                           "1GB/s/s"));

struct Spelling {
  const char* text;
  double value;
};
template <class Q>
void expect_values(std::initializer_list<Spelling> spellings) {
  for (const Spelling& spelling : spellings)
    EXPECT_DOUBLE_EQ(parse_quantity<Q>(spelling.text).value(), spelling.value) << spelling.text;
}

TEST(Quantity, TimesAreReadFromNanosecondsToHours) {
  expect_values<Seconds>({{"3s", 3},
                          {"1.5ms", 0.0015},
                          {"20 us", 20e-6},
                          {"20 µs", 20e-6},
                          {"7ns", 7e-9},
                          {"2min", 120},
                          {"1.5h", 5400},
                          {"1e-3 s", 1e-3},
                          {" 4 s ", 4}});
}

TEST(Quantity, AmountsAndRatesAreReadWithEveryPrefix) {
  expect_values<Bytes>({{"5B", 5},
                        {"5kB", 5e3},
                        {"5KB", 5e3},
                        {"5MB", 5e6},
                        {"5GB", 5e9},
                        {"5TB", 5e12},
                        {"5PB", 5e15},
                        {"5KiB", 5120},
                        {"1TiB", 1099511627776.0},
                        {"1PiB", 1125899906842624.0}});
  expect_values<Flops>({{"12GFLOP", 12e9}, {"3 TFLOPs", 3e12}});
  expect_values<BytesPerSecond>({{"8b/s", 1},
                                 {"8 Gbit/s", 1e9},
                                 {"8Mbps", 1e6},
                                 {"2GiB/s", 2147483648.0},
                                 {"2GBps", 2e9},
                                 {"9 byte/s", 9}});
  expect_values<FlopsPerSecond>({{"312TFLOP/s", 312e12}, {"19.5 TFLOPS", 19.5e12}});
}

TEST(Quantity, OfAnotherKindIsRefused) {
  EXPECT_THROW(parse_quantity<Seconds>("5B"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Bytes>("5b"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Bytes>("5mB"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Seconds>("5Ms"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Flops>("5FLOP/s"), std::invalid_argument);
}

TEST(Quantity, BeyondADoubleIsRefused) {
  EXPECT_THROW(parse_quantity<Bytes>("1e300PB"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Bytes>("1e999B"), std::invalid_argument);
  EXPECT_THROW(parse_quantity<Seconds>("inf s"), std::invalid_argument);
}

TEST(Quantity, RefusalSaysWhatWasFoundAndShowsAnExample) {
  try {
    static_cast<void>(parse_quantity<BytesPerSecond>("400"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "\"400\" is not a data rate such as \"400Gb/s\" or \"50GB/s\"");
  }
}

TEST(Quantity, PrintsTheEdgesBetweenPrefixes) {
  EXPECT_EQ(to_string(Seconds(0)), "0 s");
  EXPECT_EQ(to_string(Seconds(0.9994e-3)), "999.4 µs");
  EXPECT_EQ(to_string(Seconds(0.99996e-3)), "1 ms");
  EXPECT_EQ(to_string(Bytes(999)), "999 B");
  EXPECT_EQ(to_string(Bytes(999960)), "1 MB");
  EXPECT_EQ(to_string(Bytes(-2.5e9)), "-2.5 GB");
  EXPECT_EQ(to_binary_string(Bytes(1023)), "1023 B");
  EXPECT_EQ(to_binary_string(kibibytes(1023.99)), "1 MiB");
}

}  // namespace
}  // namespace paceline
