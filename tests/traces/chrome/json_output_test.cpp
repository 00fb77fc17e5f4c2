#include "traces/chrome/json_output.h"

#include <gtest/gtest.h>

#include <limits>

namespace paceline {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}
std::string printed(double value) {
  std::string out;
  append_double(out, value);
  return out;
}
std::string time(Nanoseconds value) {
  std::string out;
  append_microseconds(out, value);
  return out;
}

TEST(JsonOutput, EscapesWhatMustBeEscapedAndNothingElse) {
  EXPECT_EQ(quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(quoted("\n\t\x01"), R"("\n\t\u0001")");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), R"("\u0000")");
  EXPECT_EQ(quoted("µs × 漢 😀"), "\"µs × 漢 😀\"");
}

TEST(JsonOutput, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(quoted("a\xC3"), "\"a\xEF\xBF\xBD\"");                // cut in the middle of é
  EXPECT_EQ(quoted("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");  // overlong
  EXPECT_EQ(quoted("\xED\xA0\x80").size(), 2U + 3U * 3U);         // half of a surrogate pair
  EXPECT_EQ(quoted("\xF4\x90\x80\x80").size(), 2U + 4U * 3U);     // above U+10FFFF
  EXPECT_EQ(quoted("\xF0\x9F\x98\x80"), "\"\xF0\x9F\x98\x80\"");
}

TEST(JsonOutput, DoublesReadBackAsDoubles) {
  EXPECT_EQ(printed(0.1), "0.1");
  EXPECT_EQ(printed(1000), "1000.0");
  EXPECT_EQ(printed(-0.0), "-0.0");
  EXPECT_EQ(printed(1e300), "1e+300");
  EXPECT_EQ(printed(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
  EXPECT_EQ(printed(-std::numeric_limits<double>::infinity()), "\"-Infinity\"");
}

TEST(JsonOutput, TimesHaveThreeDecimals) {
  EXPECT_EQ(time(1234567), "1234.567");
  EXPECT_EQ(time(5), "0.005");
  EXPECT_EQ(time(-5), "-0.005");
  EXPECT_EQ(time(0), "0.000");
  EXPECT_EQ(time(std::numeric_limits<Nanoseconds>::min()), "-9223372036854775.808");
}

}  // namespace
}  // namespace paceline
