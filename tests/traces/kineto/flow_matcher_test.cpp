#include <gtest/gtest.h>

#include "tests/traces/sample_trace.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

std::string slice(const std::string& row, const std::string& time, const std::string& arguments) {
  return R"({"ph": "X", "cat": "cpu_op", "name": "n", )" + row + ", " + time + ", \"args\": {" + arguments +
         "}}";
}
std::string end(const std::string& phase, const std::string& id, const std::string& row,
                const std::string& time) {
  return R"({"ph": ")" + phase + R"(", "cat": "ac2g", "name": "ac2g", "id": )" + id + ", " + row +
         ", \"ts\": " + time + "}";
}
TraceImport read(const std::string& records) { return read_trace_bytes(trace_of(records), "trace.json"); }

const std::string host = R"("pid": 1, "tid": 1)";
const std::string other = R"("pid": 1, "tid": 2)";

TEST(FlowMatcher, AnEndBelongsToTheInnermostSliceAroundIt) {
  const auto import =
      read(slice(host, "\"ts\": 0, \"dur\": 100", "") + "," + slice(host, "\"ts\": 10, \"dur\": 20", "") +
           "," + slice(other, "\"ts\": 50, \"dur\": 5", "") + "," + end("s", "1", host, "15") + "," +
           end("f", "1", other, "50") + "," + end("s", "2", host, "40") + "," + end("f", "2", other, "52"));
  ASSERT_EQ(import.timeline.flows.size(), 2U);
  EXPECT_EQ(import.timeline.flows[0].from, 1U);
  EXPECT_EQ(import.timeline.flows[0].to, 2U);
  EXPECT_EQ(import.timeline.flows[1].from, 0U);
  EXPECT_EQ(import.report.flow_ends, 0U);
}

TEST(FlowMatcher, OfSlicesThatBeginTogetherTheOneWithTheCorrelationCounts) {
  const auto import = read(slice(host, "\"ts\": 5, \"dur\": 0", "\"correlation\": 8") + "," +
                           slice(host, "\"ts\": 5, \"dur\": 0", "\"correlation\": 9") + "," +
                           slice(other, "\"ts\": 6, \"dur\": 0", "\"correlation\": 8") + "," +
                           end("s", "8", host, "5") + "," + end("f", "8", other, "6"));
  ASSERT_EQ(import.timeline.flows.size(), 1U);
  EXPECT_EQ(import.timeline.flows[0].from, 0U);
  EXPECT_EQ(import.timeline.flows[0].to, 2U);
}

TEST(FlowMatcher, EndsWithoutPartnerOrSliceAreCounted) {
  const auto import =
      read(slice(host, "\"ts\": 0, \"dur\": 10", "") + "," + end("s", "1", host, "5") + "," +
           end("s", "2", host, "5") + "," + end("f", "2", host, "99") + "," + end("f", "3", host, "5"));
  // 1 has no end, 2 ends outside any slice (two ends lost), 3 has no start.
  EXPECT_TRUE(import.timeline.flows.empty());
  EXPECT_EQ(import.report.flow_ends, 4U);
}

TEST(FlowMatcher, StepsMakeAChainAndWordsCanBeIds) {
  const auto import =
      read(slice(host, "\"ts\": 0, \"dur\": 10", "") + "," + slice(other, "\"ts\": 0, \"dur\": 10", "") +
           "," + slice(host, "\"ts\": 20, \"dur\": 10", "") + "," + end("s", "\"0xa\"", host, "1") + "," +
           end("t", "\"0xa\"", other, "2") + "," + end("f", "\"0xa\"", host, "21"));
  ASSERT_EQ(import.timeline.flows.size(), 2U);
  EXPECT_EQ(import.timeline.flows[1].from, 1U);
  EXPECT_EQ(import.timeline.flows[1].to, 2U);
}

}  // namespace
}  // namespace paceline
