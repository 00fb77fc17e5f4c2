#include "traces/kineto/json_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace paceline {
namespace {

struct Case {
  std::string broken;
  std::string meant;
  Finding finding;
};

class JsonRepair : public testing::TestWithParam<Case> {};

TEST_P(JsonRepair, GivesWhatWasMeant) {
  const Case& param = GetParam();
  const RepairedJson repaired = repair_json(param.broken);
  const auto json = nlohmann::json::parse(repaired.text, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << repaired.text;
  EXPECT_EQ(json, nlohmann::json::parse(param.meant)) << repaired.text;
  EXPECT_THAT(repaired.findings, testing::Contains(param.finding));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, JsonRepair,
    testing::Values(
        Case{R"({"n": "a "b" c", "m": 1})", R"({"n": "a \"b\" c", "m": 1})", Finding::stray_quote},
        // A quote before a comma that no key follows belongs to the string.
        Case{R"_({"n": "f("a", "b")", "m": 1})_", R"_({"n": "f(\"a\", \"b\")", "m": 1})_",
             Finding::stray_quote},
        Case{"{\"n\": \"a\nb\tc\"}", R"({"n": "a\nb\tc"})", Finding::control_character},
        Case{R"({"n": "C:\Users\x"})", R"({"n": "C:\\Users\\x"})", Finding::bad_escape},
        Case{R"({"n": "\ud83d"})", R"({"n": "\\ud83d"})", Finding::bad_escape},
        Case{"{\"n\": \"a\xC3\"}", "{\"n\": \"a\xEF\xBF\xBD\"}", Finding::invalid_utf8},
        Case{R"({"a": NaN, "b": -Infinity})", R"({"a": "NaN", "b": "-Infinity"})", Finding::bare_word},
        Case{R"({"a": 007, "b": +1, "c": .5})", R"({"a": "007", "b": "+1", "c": ".5"})", Finding::bad_number},
        Case{R"({"a": [1, 2,], "b": 1,})", R"({"a": [1, 2], "b": 1})", Finding::misplaced_comma},
        Case{R"({"a": 1 "b": 2})", R"({"a": 1, "b": 2})", Finding::misplaced_comma},
        Case{R"({"a": 1,, "b": 2})", R"({"a": 1, "b": 2})", Finding::misplaced_comma},
        Case{R"({"a": [1, 2})", R"({"a": [1, 2]})", Finding::misplaced_bracket},
        Case{R"({"a": 1, "args": {"b": 2},)", R"({"a": 1, "args": {"b": 2}})", Finding::unclosed_record},
        Case{R"({ph: X})", R"({"ph": "X"})", Finding::bare_word}));

TEST(JsonRepairOfGoodJson, ChangesNoValue) {
  const std::string good =
      R"({"a": "x\"y\\zé\u00e9\ud83d\ude00", "b": [1, -2.5e3, true, false, null, {}], "c": {}})";
  const RepairedJson repaired = repair_json(good);
  EXPECT_EQ(nlohmann::json::parse(repaired.text), nlohmann::json::parse(good));
  EXPECT_TRUE(repaired.findings.empty());
}

}  // namespace
}  // namespace paceline
