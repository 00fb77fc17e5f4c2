#include "traces/kineto/kineto_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traces/sample_trace.h"
#include "tests/traces/timeline_difference.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/gzip.h"

namespace paceline {
namespace {

TraceImport read(const std::string& records) { return read_trace_bytes(trace_of(records), "trace.json"); }

TEST(KinetoReader, ReadsWhatKinetoWrites) {
  const TraceImport import = read_trace_bytes(sample_trace(2).text, "trace.json");
  const Timeline& timeline = import.timeline;
  EXPECT_TRUE(import.report.notes.empty()) << to_text(import.report);
  EXPECT_EQ(import.report.format, "Kineto JSON, schema 1");
  EXPECT_EQ(import.report.records, 18U);
  EXPECT_EQ(timeline.base_time, 1700000000000000000);
  ASSERT_EQ(timeline.slice_count(), 10U);
  // The kernel of the second step: 1,020.001 µs, 400.750 µs.
  EXPECT_EQ(timeline.start(8), 1020001);
  EXPECT_EQ(timeline.duration(8), 400750);
  EXPECT_EQ(timeline.family(8), Family::kernel);
  EXPECT_EQ(timeline.family(9), Family::communication);
  EXPECT_EQ(timeline.family(5), Family::step);
  EXPECT_EQ(std::get<std::uint64_t>(timeline.find_argument(9, "Comms Id")->value), 10159970886766084423U);
  const Argument* grid = timeline.find_argument(8, "grid");
  EXPECT_TRUE(grid->raw_json);
  EXPECT_EQ(timeline.strings[std::get<StringId>(grid->value)], "[1, 2, 3]");
  const Argument* stack = timeline.find_argument(6, "Call stack");
  EXPECT_EQ(timeline.strings[std::get<StringId>(stack->value)], "a {b} [c] \"d\" \\ é");
  ASSERT_EQ(timeline.flows.size(), 2U);
  EXPECT_EQ(timeline.flows[1].from, 7U);
  EXPECT_EQ(timeline.flows[1].to, 8U);
}

TEST(KinetoReader, TracksHaveTheRankTheKindAndTheNames) {
  const TraceImport import = read_trace_bytes(sample_trace(1).text, "trace.json");
  ASSERT_EQ(import.timeline.tracks.size(), 3U);
  const Track& stream = import.timeline.tracks[1];
  EXPECT_EQ(stream.rank, 3);
  EXPECT_EQ(stream.kind, TrackKind::device_stream);
  EXPECT_EQ(import.timeline.strings[stream.process_name], "GPU 0");
  EXPECT_EQ(import.timeline.strings[stream.name], "stream 7");
  EXPECT_EQ(stream.thread_id, 7);
}

TEST(KinetoReader, MemoryEventsAreCounters) {
  const TraceImport import = read_trace_bytes(sample_trace(2).text, "trace.json");
  ASSERT_EQ(import.timeline.counters.size(), 1U);
  const Counter& counter = import.timeline.counters[0];
  EXPECT_EQ(import.timeline.strings[counter.name], "GPU 0 memory allocated");
  EXPECT_EQ(import.timeline.strings[counter.unit], "bytes");
  EXPECT_THAT(counter.times, testing::ElementsAre(20000, 1020000));
  EXPECT_THAT(counter.values, testing::ElementsAre(64, 64));
}

TEST(KinetoReader, CompressedIsTheSame) {
  const std::string text = sample_trace(3).text;
  EXPECT_EQ(difference(read_trace_bytes(text, "a").timeline, read_trace_bytes(gzip(text), "a").timeline), "");
}

TEST(KinetoReader, WritingAndReadingAgainGivesTheSame) {
  const Timeline once = read_trace_bytes(sample_trace(3).text, "trace.json").timeline;
  const std::string text = to_chrome_json(once);
  const TraceImport again = read_trace_bytes(text, "trace.json");
  EXPECT_EQ(difference(once, again.timeline), "");
  EXPECT_EQ(to_chrome_json(again.timeline), text);
}

TEST(KinetoReader, WithoutABaseTheEarliestSliceIsTimeZero) {
  // 2021: whole microseconds since 1970, words for threads, other category names.
  const TraceImport import = read_trace_bytes(
      R"({"schemaVersion": 1, "traceEvents": [
        {"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 1623142623531639, "dur": 605},
        {"ph": "X", "cat": "Operator", "name": "o", "pid": 9, "tid": 9, "ts": 1623142623531630, "dur": 3}]})",
      "trace.json");
  EXPECT_EQ(import.timeline.base_time, 1623142623531630000);
  EXPECT_EQ(import.timeline.start(0), 9000);
  EXPECT_EQ(import.timeline.start(1), 0);
  EXPECT_EQ(import.timeline.tracks[0].thread_id, 7);
  EXPECT_EQ(import.timeline.strings[import.timeline.tracks[0].name], "stream 7");
  EXPECT_EQ(import.timeline.strings[import.timeline.category(0)], "Kernel");
}

TEST(KinetoReader, ATimeFarBefore1970PushesNoOtherOutOfRange) {
  const TraceImport import = read_trace_bytes(
      R"({"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1700560457649407, "dur": 1},
                          {"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": -1700560457649407, "dur": 1}]})",
      "trace.json");
  EXPECT_EQ(read_trace_bytes(to_chrome_json(import.timeline), "trace.json").timeline.slice_count(), 2U);
}

TEST(KinetoReader, RankStandsBeforeOrAfterTheEventsOrInTheFileName) {
  const auto rank = [](const std::string& text, const std::string& file) {
    return read_trace_bytes(text, file).timeline.tracks.at(0).rank;
  };
  const std::string event =
      R"("traceEvents": [{"ph": "X", "name": "n", "pid": 1, "tid": 1, "ts": 1, "dur": 1}])";
  EXPECT_EQ(rank(R"({"distributedInfo": {"rank": 5}, )" + event + "}", "rank_2.json"), 5);
  EXPECT_EQ(rank("{" + event + R"(, "distributedInfo": {"backend": "nccl", "rank": "6"}})", "x.json"), 6);
  EXPECT_EQ(rank("{" + event + R"(, "distributedInfo": {"backend": "nccl"}})", "rank_2.json"), 2);
  EXPECT_EQ(rank("{" + event + "}", "trace.json"), -1);
}

TEST(KinetoReader, FindsTheRankInFileNames) {
  EXPECT_EQ(rank_in_file_name("/runs/rank_9/rank_3.json"), 3);
  EXPECT_EQ(rank_in_file_name("rank3.pt.trace.json.gz"), 3);
  EXPECT_EQ(rank_in_file_name("rank-70.Mar_25.pt.trace.json.gz"), 70);
  EXPECT_EQ(rank_in_file_name("Rank12.json"), 12);
  EXPECT_FALSE(rank_in_file_name("rank_not_found.json.gz").has_value());
  EXPECT_FALSE(rank_in_file_name("/rank3/trace.json").has_value());
  EXPECT_FALSE(rank_in_file_name("rank99999999999999999999.json").has_value());
}

TEST(KinetoReader, HostThreadsAndStreamsWithTheSameIdsAreDifferentTracks) {
  const auto import =
      read(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 0, "ts": 0, "dur": 9},
                              {"ph": "X", "cat": "python_function", "name": "f", "pid": 0, "tid": 0, "ts": 5, "dur": 9},
                              {"ph": "X", "cat": "Trace", "name": "t", "pid": "Spans", "tid": "PyTorch", "ts": 0, "dur": 9})");
  ASSERT_EQ(import.timeline.tracks.size(), 3U);
  EXPECT_EQ(import.timeline.tracks[0].kind, TrackKind::device_stream);
  EXPECT_EQ(import.timeline.tracks[1].kind, TrackKind::host_thread);
  EXPECT_EQ(import.timeline.tracks[2].kind, TrackKind::annotation);
}

TEST(KinetoReader, AnOperatorThatNamesAStreamIsStillHostWork) {
  const auto import =
      read(R"({"ph": "X", "cat": "cpu_op", "name": "triton_mm", "pid": 1, "tid": 1, "ts": 0, "dur": 9,
                               "args": {"stream": 7}})");
  EXPECT_EQ(import.timeline.family(0), Family::host);
  EXPECT_EQ(import.timeline.tracks[0].kind, TrackKind::host_thread);
}

TEST(KinetoReader, BeginAndEndMakeASlice) {
  const auto import = read(R"({"ph": "B", "name": "outer", "pid": 1, "tid": 1, "ts": 1, "args": {"a": 1}},
                              {"ph": "B", "name": "inner", "pid": 1, "tid": 1, "ts": 2},
                              {"ph": "E", "pid": 1, "tid": 1, "ts": 5}, {"ph": "E", "pid": 1, "tid": 1, "ts": 9})");
  ASSERT_EQ(import.timeline.slice_count(), 2U);
  EXPECT_EQ(import.timeline.duration(0), 8000);
  EXPECT_EQ(import.timeline.duration(1), 3000);
  EXPECT_NE(import.timeline.find_argument(0, "a"), nullptr);
}

TEST(KinetoReader, CountersHaveOneSeriesForEachNumber) {
  const auto import =
      read(R"({"ph": "C", "name": "link", "pid": "GPU 0 Counters", "ts": 1, "args": {"sent": 3, "got": 0.5}},
                              {"ph": "C", "name": "link", "pid": "GPU 0 Counters", "ts": 2, "args": {"sent": 4}})");
  ASSERT_EQ(import.timeline.counters.size(), 2U);
  EXPECT_EQ(import.timeline.strings[import.timeline.counters[0].name], "GPU 0 Counters: link");
  EXPECT_EQ(import.timeline.strings[import.timeline.counters[0].unit], "sent");
  EXPECT_THAT(import.timeline.counters[0].values, testing::ElementsAre(3, 4));
}

TEST(KinetoReader, CountersOfSeveralProcessesStaySeparate) {
  const auto import = read(R"({"ph": "C", "name": "memory", "pid": 1, "ts": 1, "args": {"bytes": 3}},
                              {"ph": "C", "name": "memory", "pid": 2, "ts": 2, "args": {"bytes": 4}})");
  ASSERT_EQ(import.timeline.counters.size(), 2U);
  EXPECT_EQ(import.timeline.strings[import.timeline.counters[0].name], "memory");
  EXPECT_EQ(import.timeline.strings[import.timeline.counters[1].name], "memory (2)");
}

TEST(KinetoReader, ManyMetadataRowsTakeLinearTimeAndMakeNoTracks) {
  std::string records;
  for (int i = 0; i < 50000; ++i)
    records += R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": )" + std::to_string(i) +
               R"(, "args": {"name": "t"}},)";
  const auto import = read(records + R"({"ph": "X", "name": "n", "pid": 1, "tid": 7, "ts": 1, "dur": 1})");
  EXPECT_EQ(import.timeline.tracks.size(), 1U);
}

}  // namespace
}  // namespace paceline
