// What the text of a file must be before its values are looked at.
#include "base/json_document.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "tests/base/message_of.h"

namespace paceline {
namespace {
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string message(const std::string& text) {
  return message_of([&] { static_cast<void>(parse_json(text, "f.json")); });
}

TEST(JsonSyntax, AnErrorHasALineAndAColumn) {
  EXPECT_THAT(message(R"({"a": 1,})"), StartsWith("f.json:1:9: found '}', expected string literal; "));
  EXPECT_THAT(message("{\n  \"a\": 1\n  \"b\": 2\n}"), StartsWith("f.json:3:5: "));
  EXPECT_THAT(message("[1,\r\n2,\r\n,3]"), StartsWith("f.json:3:1: found ','"));
}

TEST(JsonSyntax, AWordThatIsNoJsonIsShown) {
  EXPECT_THAT(message(R"({"a": tru})"), HasSubstr("found tru, expected JSON"));
  EXPECT_THAT(message(R"([NaN])"), StartsWith("f.json:1:2: found NaN"));
  EXPECT_THAT(message(R"([Infinity])"), HasSubstr("found Infinity"));
  EXPECT_THAT(message(R"([-Infinity])"), HasSubstr("found -Infinity"));
  EXPECT_THAT(message("[1, // one\n2]"), StartsWith("f.json:1:5: found '/'"));
}

TEST(JsonSyntax, AFileThatStopsTooSoonSaysSo) {
  EXPECT_THAT(message(""), StartsWith("f.json:1:1: found the end of the file"));
  EXPECT_THAT(message("{\"a\": [1, 2"), HasSubstr("found the end of the file"));
}

TEST(JsonSyntax, StringsAreClosedAndUtf8) {
  EXPECT_THAT(message("[\"a\nb\"]"), HasSubstr("invalid string: control character U+000A"));
  EXPECT_THAT(message("[\"a"), HasSubstr("missing closing quote"));
  EXPECT_THAT(message("[\"\xff\"]"), HasSubstr("UTF-8"));
}

TEST(JsonNames, AreRefusedTheSecondTime) {
  EXPECT_THAT(
      message(R"({"batch": 1, "batch": 2})"),
      StartsWith("f.json: /batch: found the name a second time, expected every name once in an object"));
  EXPECT_THAT(message(R"({"list": [0, {"a/b": 1, "a/b": 2}]})"), StartsWith("f.json: /list/1/a~1b: "));
  EXPECT_THAT(message(R"({"a": {"x": 1}, "b": 2, "a": 3})"), StartsWith("f.json: /a: "));
}

TEST(JsonNames, MayBeTheSameInDifferentObjects) {
  EXPECT_EQ(parse_json(R"({"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]})", "f.json").size(), 2U);
}

TEST(JsonNumbers, BeyondADoubleAreRefusedWithTheirPlace) {
  EXPECT_EQ(message(R"({"a": [1, 1e999]})"),
            "f.json: /a/1: found the number '1e999', expected numbers below 1.8e308");
}

TEST(JsonNesting, IsLimitedAndCannotOverflowTheStack) {
  const std::string deepest = std::string(most_json_levels, '[') + std::string(most_json_levels, ']');
  EXPECT_TRUE(parse_json(deepest, "f.json").is_array());
  EXPECT_THAT(message("[" + deepest + "]"), HasSubstr("found brackets nested more than 100 deep"));
  const std::string million(1000000, '[');
  EXPECT_LT(message(million).size(), 400U);
  std::string objects;
  for (int level = 0; level < 100000; ++level) objects += "{\"a\":";
  EXPECT_THAT(message(objects), StartsWith("f.json: /a/a/a/a"));
}

TEST(JsonPointerToken, EscapesTildeAndSlash) {
  EXPECT_EQ(pointer_token("plain"), "plain");
  EXPECT_EQ(pointer_token("~a/b~1"), "~0a~1b~01");
}

}  // namespace
}  // namespace paceline
