// Properties that hold for every Timeline.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/traces/timeline_difference.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

// Texts made of what breaks writers and readers.
std::string any_text() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"a", "\"", "\\", "\n", "\x01", "é", "漢", "😀", "{", "}", "[", "]", ",", ":",
                               " ", "ncclKernel", "\", \"ph\": \"", "\\u12"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

Nanoseconds any_time() { return *rc::gen::inRange<Nanoseconds>(-5000, 2000000); }

Family any_family() { return static_cast<Family>(*rc::gen::inRange(0, 10)); }

void add_any_track(Timeline& timeline) {
  Track track;
  track.rank = *rc::gen::inRange(-1, 3);
  track.kind = static_cast<TrackKind>(*rc::gen::inRange(0, 3));
  track.process_name = timeline.strings.intern(any_text());
  track.name = timeline.strings.intern(any_text());
  track.process_id = *rc::gen::inRange<std::int64_t>(-2, 4);
  track.thread_id = *rc::gen::inRange<std::int64_t>(-2, 4);
  track.sort_index = *rc::gen::arbitrary<std::int64_t>();
  timeline.add_track(track);
}

void add_any_argument(Timeline& timeline, int index) {
  const StringId key = timeline.strings.intern(std::to_string(index) + any_text());
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return timeline.add_argument(key, *rc::gen::arbitrary<std::int64_t>());
    case 1:
      return timeline.add_argument(key, *rc::gen::arbitrary<std::uint64_t>() | (std::uint64_t{1} << 63U));
    case 2:
      return timeline.add_argument(key, *rc::gen::arbitrary<double>());
    case 3:
      return timeline.add_argument(key, *rc::gen::arbitrary<bool>());
    case 4:
      return timeline.add_argument(key, timeline.strings.intern(any_text()));
    default:
      return timeline.add_argument(key, timeline.strings.intern("[1, {\"a\": [null, \"}\"]}]"), true);
  }
}

void add_any_slice(Timeline& timeline) {
  const auto track = *rc::gen::inRange<TrackId>(0, static_cast<TrackId>(timeline.tracks.size()));
  const SliceId slice = timeline.add_slice(track, timeline.strings.intern(any_text()), any_family(),
                                           any_time(), *rc::gen::inRange<Nanoseconds>(0, 100000));
  if (*rc::gen::inRange(0, 4) == 0) timeline.set_category(slice, timeline.strings.intern("python_function"));
  const int arguments = *rc::gen::inRange(0, 4);
  for (int index = 0; index < arguments; ++index) add_any_argument(timeline, index);
}

void add_any_counter(Timeline& timeline, int index) {
  Counter counter;
  counter.rank = *rc::gen::inRange(-1, 5);
  counter.name = timeline.strings.intern(std::to_string(index) + any_text());
  counter.unit = timeline.strings.intern(*rc::gen::element<std::string>("", "bytes", "%"));
  const int samples = *rc::gen::inRange(1, 4);
  for (int sample = 0; sample < samples; ++sample) {
    counter.times.push_back(any_time());
    counter.values.push_back(*rc::gen::arbitrary<double>());
  }
  timeline.counters.push_back(counter);
}

Timeline any_timeline() {
  Timeline timeline;
  timeline.base_time = *rc::gen::arbitrary<std::int64_t>();
  const int tracks = *rc::gen::inRange(1, 5);
  for (int track = 0; track < tracks; ++track) add_any_track(timeline);
  const int slices = *rc::gen::inRange(0, 25);
  for (int slice = 0; slice < slices; ++slice) add_any_slice(timeline);
  const int flows = slices == 0 ? 0 : *rc::gen::inRange(0, 5);
  for (int flow = 0; flow < flows; ++flow) {
    const auto any_slice = rc::gen::inRange<SliceId>(0, static_cast<SliceId>(slices));
    timeline.flows.push_back({*any_slice, *any_slice, timeline.strings.intern("c" + any_text())});
  }
  const int counters = *rc::gen::inRange(0, 3);
  for (int counter = 0; counter < counters; ++counter) add_any_counter(timeline, counter);
  return timeline;
}

RC_GTEST_PROP(RoundTrip, WritingAndReadingGivesTheSameTimeline, ()) {
  const Timeline timeline = any_timeline();
  const std::string text = to_chrome_json(timeline);
  const TraceImport import = read_trace_bytes(text, "trace.json");
  RC_ASSERT(difference(timeline, import.timeline) == "");
  RC_ASSERT(import.report.flow_ends == 0U);
  RC_ASSERT(to_chrome_json(import.timeline) == text);
}

// Slices of one (pid, tid), as a viewer sees them, nest.
bool nests(std::vector<std::pair<Nanoseconds, Nanoseconds>> slices) {
  std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  std::vector<Nanoseconds> open;
  for (const auto& [start, end] : slices) {
    while (!open.empty() && open.back() <= start) open.pop_back();
    if (!open.empty() && end > open.back()) return false;
    open.push_back(end);
  }
  return true;
}

RC_GTEST_PROP(ChromeJson, IsValidAndNestsOnEveryRow, ()) {
  const auto file = nlohmann::json::parse(to_chrome_json(any_timeline()));
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<Nanoseconds, Nanoseconds>>> rows;
  for (const auto& event : file.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const auto start = std::llround(event.at("ts").get<double>() * 1000);
    const auto duration = std::llround(event.at("dur").get<double>() * 1000);
    rows[{event.at("pid"), event.at("tid")}].emplace_back(start, start + duration);
  }
  for (const auto& [row, slices] : rows) RC_ASSERT(nests(slices));
}

}  // namespace
}  // namespace paceline
