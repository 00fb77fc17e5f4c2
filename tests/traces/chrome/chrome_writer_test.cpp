#include "traces/chrome/chrome_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "tests/traces/timeline_difference.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

// Two ranks with the same ids, two crossing slices on one stream, a flow backwards in time, strings with
// traps.
Timeline example() {
  Timeline timeline;
  timeline.base_time = 1700000000000000000;
  for (std::int32_t rank : {0, 1}) {
    Track track;
    track.rank = rank;
    track.kind = TrackKind::device_stream;
    track.process_name = timeline.strings.intern("GPU \"0\"");
    track.name = timeline.strings.intern("compute\nstream");
    track.thread_id = 7;
    track.sort_index = 3;
    timeline.add_track(track);
  }
  const StringId name = timeline.strings.intern("all_reduce \"bucket 3\" \\ \x01");
  timeline.add_slice(0, name, Family::communication, 1500, 1000);
  timeline.add_argument("id", std::numeric_limits<std::uint64_t>::max());
  timeline.add_argument("smallest", std::numeric_limits<std::int64_t>::min());
  timeline.add_argument("ratio", 1.0);
  timeline.add_argument("fused", true);
  timeline.add_argument(timeline.strings.intern("shape"), timeline.strings.intern("[1, {\"a\": null}]"),
                        true);
  timeline.add_slice(0, timeline.strings.intern("gemm"), Family::kernel, 2000, 1000);
  timeline.add_slice(1, timeline.strings.intern("ProfilerStep#1"), Family::step, 0, 5000);
  timeline.flows.push_back({1, 0, timeline.strings.intern("ac2g")});
  timeline.counters.push_back(
      {1, timeline.strings.intern("memory allocated"), timeline.strings.intern("bytes"), {1, 2}, {0.5, 3e9}});
  timeline.counters.push_back({5, timeline.strings.intern("link busy"), 0, {1}, {0.25}});
  timeline.metadata["paceline"] = R"({"kind": "predicted"})";
  timeline.metadata["note"] = "not \"JSON\"";
  return timeline;
}

std::vector<Json> events(const Json& file, const std::string& phase) {
  std::vector<Json> list;
  for (const Json& event : file.at("traceEvents"))
    if (event.at("ph") == phase) list.push_back(event);
  return list;
}

TEST(ChromeWriter, WritesKinetosEnvelopeAndCategories) {
  const Json file = Json::parse(to_chrome_json(example()));
  EXPECT_EQ(file.at("schemaVersion"), 1);
  EXPECT_EQ(file.at("displayTimeUnit"), "ms");
  EXPECT_EQ(file.at("baseTimeNanoseconds"), 1700000000000000000);
  EXPECT_EQ(file.at("paceline").at("kind"), "predicted");
  EXPECT_EQ(file.at("note"), "not \"JSON\"");
  const auto slices = events(file, "X");
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(slices[0].at("cat"), "kernel");
  EXPECT_EQ(slices[0].at("family"), "communication");  // which the name alone does not tell
  EXPECT_FALSE(slices[1].contains("family"));
  EXPECT_EQ(slices[0].at("args").at("id"), std::numeric_limits<std::uint64_t>::max());
}

TEST(ChromeWriter, TimesAreMicrosecondsWithThreeDecimals) {
  const std::string text = to_chrome_json(example());
  EXPECT_NE(text.find("\"ts\": 1.500, \"dur\": 1.000"), std::string::npos);
}

TEST(ChromeWriter, RanksWithEqualIdsGetProcessesOfTheirOwnAndCrossingSlicesLanes) {
  const auto slices = events(Json::parse(to_chrome_json(example())), "X");
  EXPECT_NE(slices[0].at("pid"), slices[2].at("pid"));
  EXPECT_EQ(slices[0].at("pid"), slices[1].at("pid"));
  EXPECT_NE(slices[0].at("tid"), slices[1].at("tid"));
}

TEST(ChromeWriter, AnArrowNeverPointsBackInTime) {
  const Json file = Json::parse(to_chrome_json(example()));
  // From the slice that starts at 2.0 µs to the one of [1.5, 2.5) µs: the end moves into it, to 2.0 µs.
  EXPECT_EQ(events(file, "s").at(0).at("ts"), 2.0);
  EXPECT_EQ(events(file, "f").at(0).at("ts"), 2.0);
  EXPECT_EQ(events(file, "f").at(0).at("bp"), "e");
}

TEST(ChromeWriter, ReadingBackGivesTheSameTimeline) {
  const Timeline timeline = example();
  const std::string text = to_chrome_json(timeline);
  const TraceImport import = read_trace_bytes(text, "trace.json");
  EXPECT_EQ(difference(timeline, import.timeline), "");
  EXPECT_TRUE(import.report.notes.empty()) << to_text(import.report);
  EXPECT_EQ(to_chrome_json(import.timeline), text);
}

TEST(ChromeWriter, ATimelineWithoutSlicesIsAFileWithoutSlices) {
  const TraceImport import = read_trace_bytes(to_chrome_json(Timeline()), "trace.json");
  EXPECT_EQ(import.timeline.slice_count(), 0U);
  EXPECT_TRUE(import.report.notes.empty());
}

TEST(ChromeWriter, OneRankIsNamedForOtherTools) {
  Timeline timeline;
  Track track;
  track.rank = 4;
  timeline.add_track(track);
  EXPECT_EQ(Json::parse(to_chrome_json(timeline)).at("distributedInfo").at("rank"), 4);
  EXPECT_FALSE(Json::parse(to_chrome_json(example())).contains("distributedInfo"));
}

TEST(ChromeWriter, CompressesIfTheNameSaysSoAndAlwaysToTheSameBytes) {
  const std::string folder = testing::TempDir();
  write_chrome_json(example(), folder + "/trace.json");
  write_chrome_json(example(), folder + "/trace.json.gz");
  EXPECT_EQ(read_file(folder + "/trace.json"), to_chrome_json(example()));
  const std::string compressed = read_file(folder + "/trace.json.gz");
  EXPECT_EQ(compressed.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(difference(example(), read_trace(folder + "/trace.json.gz").timeline), "");
  write_chrome_json(example(), folder + "/trace.json.gz");
  EXPECT_EQ(read_file(folder + "/trace.json.gz"), compressed);
  std::ostringstream stream;
  write_chrome_json(example(), stream);
  EXPECT_EQ(stream.str(), to_chrome_json(example()));
}

TEST(ChromeWriter, AnUnwritablePlaceIsAnErrorAndLeavesNothingBehind) {
  EXPECT_THROW(write_chrome_json(example(), testing::TempDir() + "/no/such/folder/trace.json"), InputError);
}

}  // namespace
}  // namespace paceline
