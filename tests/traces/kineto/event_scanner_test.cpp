#include "traces/kineto/event_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace paceline {
namespace {

using testing::ElementsAre;

class Collector : public EventScanner::Handler {
 public:
  void on_record(std::string& text, std::uint64_t) override { records.push_back(text); }
  void on_key(const std::string& key, std::uint64_t) override { keys.push_back(key); }
  void on_member(const std::string& key, std::string& value, std::uint64_t) override {
    members.push_back(key + "=" + value);
  }
  void on_foreign(std::string_view, std::uint64_t) override { throw std::runtime_error("foreign"); }
  std::vector<std::string> records, keys, members;
};

// The same text in one piece and byte by byte must give the same.
struct Scan {
  explicit Scan(std::string_view text) : scanner(collector, findings) {
    for (const char& c : text) scanner.feed({&c, 1});
    scanner.finish();
    Collector whole;
    FindingLog ignored;
    EventScanner at_once(whole, ignored);
    at_once.feed(text);
    at_once.finish();
    EXPECT_EQ(whole.records, collector.records);
    EXPECT_EQ(whole.members, collector.members);
  }
  Collector collector;
  FindingLog findings;
  EventScanner scanner;
};

TEST(EventScanner, HandsOutRecordsAndOtherMembers) {
  const Scan scan(
      R"({"a": [1, {"x": "]}"}], "b": 2 , "traceEvents": [ {"n": 1}, {"n": {"m": []}} ], "c": "d", "e": null})");
  EXPECT_THAT(scan.collector.records, ElementsAre(R"({"n": 1})", R"({"n": {"m": []}})"));
  EXPECT_THAT(scan.collector.members, ElementsAre(R"(a=[1, {"x": "]}"}])", "b=2 ", R"(c="d")", "e=null"));
  EXPECT_TRUE(scan.scanner.complete());
  EXPECT_TRUE(scan.findings.notes().empty());
}

TEST(EventScanner, AcceptsTheArrayForm) {
  const Scan scan(R"([{"n": 1}, {"n": 2}])");
  EXPECT_EQ(scan.collector.records.size(), 2U);
  EXPECT_TRUE(scan.scanner.is_array());
  EXPECT_TRUE(scan.scanner.complete());
}

TEST(EventScanner, AnArrayThatIsNotClosedGivesItsRecords) {
  const Scan scan(R"([{"n": 1}, {"n": 2},)");
  EXPECT_EQ(scan.collector.records.size(), 2U);
  EXPECT_FALSE(scan.scanner.complete());
}

TEST(EventScanner, BracesInStringsAreText) {
  const Scan scan(R"({"traceEvents": [{"n": "}]{\"}"}, {"n": "\\"}]})");
  EXPECT_THAT(scan.collector.records, ElementsAre(R"({"n": "}]{\"}"})", R"({"n": "\\"})"));
}

TEST(EventScanner, UnescapedQuotesKeepTheExtent) {
  const Scan scan(R"({"traceEvents": [{"n": "a "b} c", "m": 1}, {"n": 2}]})");
  EXPECT_THAT(scan.collector.records, ElementsAre(R"({"n": "a "b} c", "m": 1})", R"({"n": 2})"));
}

TEST(EventScanner, ARecordThatIsNotClosedCostsNoOther) {
  const Scan scan(
      R"({"traceEvents": [{"n": 1}, {"n": 2, "args": {"a": 1}, {"n": 3}, {"n": [1, 2}, {"n": 5}]})");
  ASSERT_EQ(scan.collector.records.size(), 5U);
  EXPECT_EQ(scan.collector.records[2], R"({"n": 3})");
  EXPECT_EQ(scan.collector.records[4], R"({"n": 5})");
  EXPECT_EQ(scan.findings.count(Finding::unclosed_record), 1U);
  EXPECT_EQ(scan.findings.count(Finding::misplaced_bracket), 1U);
}

TEST(EventScanner, StrayBracketsAndOddElementsCostNoRecord) {
  const Scan scan(R"({"traceEvents": [{"n": 1}}, 7, null, "x", [1, [2]], {"n": 2],, {"n": 3}},]})");
  EXPECT_GE(scan.collector.records.size(), 2U);
  EXPECT_EQ(scan.collector.records[0], R"({"n": 1})");
  EXPECT_EQ(scan.findings.count(Finding::not_a_record), 4U);
}

TEST(EventScanner, DeepNestingIsCountedNotFollowed) {
  const std::string deep(100000, '[');
  const std::string closing(100000, ']');
  const Scan scan("{\"traceEvents\": [{\"a\": " + deep + closing + "}, {\"n\": 2}]}");
  EXPECT_EQ(scan.collector.records.size(), 2U);
}

TEST(EventScanner, BytesThatBeginNoJsonAreForeign) {
  Collector collector;
  FindingLog findings;
  EventScanner scanner(collector, findings);
  EXPECT_THROW(scanner.feed("SQLite format 3 and so on"), std::runtime_error);
}

}  // namespace
}  // namespace paceline
