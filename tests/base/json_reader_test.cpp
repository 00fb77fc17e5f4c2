#include "base/json_reader.h"

#include <gmock/gmock.h>

#include "tests/base/message_of.h"

namespace paceline {
namespace {
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

JsonValue parse(const std::string& text) { return JsonValue::parse_text(text, "f.json"); }
// The value of {"x": ...}.
JsonValue field(const std::string& text) { return parse("{\"x\": " + text + "}").object().required("x"); }

template <class Read>
std::string message(const std::string& text, Read read) {
  return message_of([&] { static_cast<void>(read(field(text))); });
}

TEST(JsonObject, AnUnknownFieldIsAnErrorThatNamesTheNearest) {
  JsonObject object = parse(R"({"bacth": 1, "devices": 2})").object();
  static_cast<void>(object.optional("batch"));
  static_cast<void>(object.optional("devices"));
  EXPECT_EQ(
      message_of([&] { object.finish(); }),
      "f.json: /: found an unknown field \"bacth\", expected one of batch, devices; did you mean \"batch\"?");
}

TEST(JsonObject, AnUnknownFieldThatResemblesNothingIsToBeRemoved) {
  JsonObject object = parse(R"({"x": {"zzz\n": 1}})").object().required("x").object();
  static_cast<void>(object.optional("batch"));
  EXPECT_EQ(message_of([&] { object.finish(); }),
            "f.json: /x: found an unknown field \"zzz\\n\", expected one of batch; remove it");
}

TEST(JsonObject, CommentsAreNoUnknownFields) {
  EXPECT_NO_THROW(parse(R"({"comment": "why", "_note": 1})").object().finish());
}

TEST(JsonObject, NullCountsAsAbsent) {
  JsonObject object = parse(R"({"a": null})").object();
  EXPECT_FALSE(object.optional("a"));
  EXPECT_EQ(message_of([&] { static_cast<void>(object.required("a")); }),
            "f.json: /: found no field \"a\", expected it; add the field");
  EXPECT_NO_THROW(object.finish());
}

TEST(JsonObject, PointersEscapeSlashAndTilde) {
  const JsonValue value = parse(R"({"a/b": [0, {"c~d": 1}]})").object().required("a/b").array()[1];
  EXPECT_EQ(value.object().required("c~d").where(), "f.json: /a~1b/1/c~0d");
}

TEST(JsonObject, AsAMapGivesItsNames) {
  JsonObject object = parse(R"({"b": 1, "a": 2})").object();
  EXPECT_THAT(object.all_names(), ElementsAre("a", "b"));
  EXPECT_NO_THROW(object.finish());
}

TEST(JsonObject, TheFormatMustBeTheOneExpected) {
  EXPECT_NO_THROW(parse(R"({"format": "paceline/x-1"})").object().expect_format("paceline/x-1"));
  EXPECT_EQ(message_of([] { parse(R"({"format": "paceline/x-2"})").object().expect_format("paceline/x-1"); }),
            "f.json: /format: found \"paceline/x-2\", expected \"paceline/x-1\"");
}

TEST(JsonInteger, IsAnyWholeNumberHoweverWritten) {
  EXPECT_EQ(field("1e3").integer(), 1000);
  EXPECT_EQ(field("2.0").integer(), 2);
  EXPECT_EQ(field("-5").integer(), -5);
  EXPECT_EQ(field("9007199254740993").integer(), 9007199254740993)
      << "2^53 + 1 must not pass through a double";
}

TEST(JsonInteger, RefusesFractionsOverflowAndNegativesWhereNoneMayBe) {
  const auto count = [](const JsonValue& value) { return value.integer(0); };
  const auto any = [](const JsonValue& value) { return value.integer(); };
  EXPECT_EQ(message("1.5", any), "f.json: /x: found 1.5, expected a whole number");
  EXPECT_EQ(message("9223372036854775808", any),
            "f.json: /x: found 9223372036854775808, expected a whole number below 9.2e18");
  EXPECT_THAT(message("18446744073709551616", any), EndsWith("below 9.2e18"));
  EXPECT_EQ(message("-1", count), "f.json: /x: found -1, expected a whole number of at least 0");
  EXPECT_EQ(message("\"1\"", count), "f.json: /x: found \"1\", expected a whole number of at least 0");
  EXPECT_EQ(message("true", count), "f.json: /x: found true, expected a whole number of at least 0");
}

TEST(JsonInteger, StaysInItsRangeBoundsIncluded) {
  const auto ten = [](const JsonValue& value) { return value.integer(1, 10); };
  EXPECT_EQ(ten(field("1")), 1);
  EXPECT_EQ(ten(field("10")), 10);
  EXPECT_EQ(message("0", ten), "f.json: /x: found 0, expected a whole number from 1 to 10");
  EXPECT_THAT(message("11", ten), HasSubstr("found 11"));
}

TEST(JsonNumber, StaysInItsRangeBoundsIncluded) {
  const auto share = [](const JsonValue& value) { return value.number(0, 1); };
  EXPECT_EQ(share(field("0")), 0);
  EXPECT_EQ(share(field("1.0")), 1);
  EXPECT_EQ(message("1.01", share), "f.json: /x: found 1.01, expected a number from 0 to 1");
  EXPECT_EQ(message("-2", [](const JsonValue& value) { return value.number(0); }),
            "f.json: /x: found -2, expected a number of at least 0");
  EXPECT_EQ(message("3", [](const JsonValue& value) { return value.number(-1e300, 2); }),
            "f.json: /x: found 3, expected a number from -1e+300 to 2");
  EXPECT_EQ(field("-1e308").number(), -1e308);
}

TEST(JsonQuantity, IsANumberInSiUnitsOrAStringWithAUnit) {
  EXPECT_EQ(field("4096").quantity<Bytes>(), Bytes(4096));
  EXPECT_EQ(field("\"4KiB\"").quantity<Bytes>(), Bytes(4096));
}

TEST(JsonQuantity, RefusesNegativesAndOtherUnits) {
  const auto bytes = [](const JsonValue& value) { return value.quantity<Bytes>(); };
  EXPECT_EQ(message("-1", bytes), "f.json: /x: found -1, expected a number of at least 0");
  EXPECT_EQ(message("\"-1KiB\"", bytes),
            "f.json: /x: found \"-1KiB\", expected a quantity that is not negative");
  EXPECT_EQ(message("\"4s\"", bytes),
            "f.json: /x: found \"4s\", expected an amount of data such as \"25MiB\"; write a number followed "
            "by its "
            "unit");
  EXPECT_EQ(message("[4]", bytes),
            "f.json: /x: found an array of 1, expected a number in SI units or a string with a unit");
}

TEST(JsonChoice, IsOneOfTheWords) {
  const auto choice = [](const JsonValue& value) { return value.choice({"single", "dp", "ddp"}); };
  EXPECT_EQ(choice(field("\"ddp\"")), 2U);
  EXPECT_EQ(message("\"dpp\"", choice),
            "f.json: /x: found \"dpp\", expected one of single, dp, ddp; did you mean \"dp\"?");
  EXPECT_EQ(message("\"pipeline\"", choice),
            "f.json: /x: found \"pipeline\", expected one of single, dp, ddp");
}

TEST(JsonValue, OfAnotherKindIsShownShortly) {
  const auto text = [](const JsonValue& value) { return value.string(); };
  EXPECT_EQ(message("{}", text), "f.json: /x: found an empty object, expected a string");
  EXPECT_EQ(message("{\"a\": 1}", text), "f.json: /x: found an object, expected a string");
  EXPECT_EQ(message("1", [](const JsonValue& value) { return value.boolean(); }),
            "f.json: /x: found 1, expected true or false");
  EXPECT_EQ(message("1", [](const JsonValue& value) { return value.array(); }),
            "f.json: /x: found 1, expected an array");
  EXPECT_EQ(message_of([] { static_cast<void>(parse("[]").object()); }),
            "f.json: /: found an array of 0, expected an object");
}

TEST(JsonValue, ALongStringIsCutBetweenLetters) {
  std::string word;
  for (int letter = 0; letter < 100; ++letter) word += "é";
  const std::string shown =
      message("\"" + word + "\"", [](const JsonValue& value) { return value.number(); });
  EXPECT_THAT(shown, StartsWith("f.json: /x: found \"éé"));
  EXPECT_THAT(shown, HasSubstr("é..., expected a number"));
}

TEST(NearestWord, IsNearOrNothing) {
  EXPECT_EQ(nearest_word("resnet5", {"resnet50", "vgg16"}), "resnet50");
  EXPECT_EQ(nearest_word("bacth", {"batch", "match"}), "batch");
  EXPECT_FALSE(nearest_word("fsdp", {"dp", "ddp"})) << "half of four letters differ";
  EXPECT_EQ(nearest_word("v100", {"h100", "v100-sxm2-16gb"}), "h100");
  EXPECT_FALSE(nearest_word("transformer", {"resnet50", "vgg16"}));
  EXPECT_FALSE(nearest_word("x", {}));
}

}  // namespace
}  // namespace paceline
