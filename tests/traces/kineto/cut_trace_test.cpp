// A trace cut at any byte gives every record that is complete before the cut.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/traces/sample_trace.h"
#include "traces/gzip.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

TEST(CutTrace, EveryCutOfThePlainTextGivesTheCompleteRecords) {
  const SampleTrace sample = sample_trace(1);
  ASSERT_GT(sample.text.size(), 1000U);
  for (std::size_t cut = 0; cut < sample.text.size(); ++cut) {
    const std::string_view part = std::string_view(sample.text).substr(0, cut);
    if (cut < sample.events_begin) {
      EXPECT_THROW((void)read_trace_bytes(part, "trace.json"), TraceError) << cut;
      continue;
    }
    const TraceImport import = read_trace_bytes(part, "trace.json");
    const auto complete = std::count_if(sample.record_ends.begin(), sample.record_ends.end(),
                                        [&](std::size_t end) { return end <= cut; });
    EXPECT_EQ(import.report.records, static_cast<std::uint64_t>(complete)) << cut;
    const bool whole = cut >= sample.text.rfind('}') + 1;
    EXPECT_EQ(import.report.truncated, !whole) << cut;
  }
}

TEST(CutTrace, ACutCompressedFileNeverLosesARecordThatCameOut) {
  const std::string compressed = gzip(sample_trace(40).text);
  std::uint64_t before = 0;
  for (std::size_t cut = 0; cut < compressed.size(); cut += 1 + compressed.size() / 1000) {
    std::uint64_t records = 0;
    try {
      records = read_trace_bytes(std::string_view(compressed).substr(0, cut), "trace.json.gz").report.records;
    } catch (const TraceError&) {  // nothing of traceEvents has come out yet
    }
    EXPECT_GE(records, before) << cut;
    before = records;
  }
  // 8 records a step; the last bytes of a gzip file are only its checksum.
  EXPECT_EQ(before, 40U * 8U + 2U);
}

}  // namespace
}  // namespace paceline
