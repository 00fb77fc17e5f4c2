// A table of what goes wrong with trace files in practice, and what must come of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/traces/sample_trace.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

const std::string good =
    R"({"ph": "X", "cat": "kernel", "name": "good", "pid": 0, "tid": 7, "ts": 10, "dur": 5})";

struct Case {
  std::string name;
  std::string text;
  std::size_t slices;  // that must be read
  std::string action;  // of the note, and a part of its text; both empty if there is nothing to report
  std::string note;
};

std::ostream& operator<<(std::ostream& stream, const Case& item) { return stream << item.name; }

// The record between two good ones.
std::string among_good(const std::string& record) { return trace_of(good + ",\n" + record + ",\n" + good); }
std::string slice_with(const std::string& fields) {
  return R"({"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, )" + fields + "}";
}

class BrokenTrace : public testing::TestWithParam<Case> {};

TEST_P(BrokenTrace, GivesTheRestAndSaysWhatWasWrong) {
  const TraceImport import = read_trace_bytes(GetParam().text, "rank_0.json");
  EXPECT_EQ(import.timeline.slice_count(), GetParam().slices) << to_text(import.report);
  std::string notes;
  for (const ImportNote& note : import.report.notes)
    notes += std::string(to_string(note.action)) + " " + note.text + "\n";
  if (GetParam().note.empty()) {
    EXPECT_EQ(notes, "");
  } else {
    EXPECT_THAT(notes, testing::HasSubstr(GetParam().note));
    EXPECT_THAT(notes, testing::HasSubstr(GetParam().action + " "));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Records, BrokenTrace,
    testing::Values(
        Case{"unescaped quote", among_good(slice_with(R"("name": "a "b" c", "ts": 1, "dur": 1)")), 3,
             "repaired", "unescaped quote"},
        Case{"control character", among_good(slice_with("\"name\": \"a\x01\nb\", \"ts\": 1, \"dur\": 1")), 3,
             "repaired", "control character"},
        Case{"backslash", among_good(slice_with(R"("name": "C:\temp\x", "ts": 1, "dur": 1)")), 3, "repaired",
             "invalid escape"},
        Case{"UTF-8 cut", among_good(slice_with("\"name\": \"a\xE6\xBC\", \"ts\": 1, \"dur\": 1")), 3,
             "repaired", "not UTF-8"},
        Case{"NaN",
             among_good(
                 slice_with(R"("name": "n", "ts": 1, "dur": 1, "args": {"occupancy": NaN, "x": -Infinity})")),
             3, "repaired", "NaN"},
        Case{"NaN as time", among_good(slice_with(R"("name": "n", "ts": NaN, "dur": 1)")), 2, "dropped",
             "usable time"},
        Case{"no time", among_good(slice_with(R"("name": "n", "dur": 1)")), 2, "dropped", "usable time"},
        Case{"time too large", among_good(slice_with(R"("name": "n", "ts": 1e300, "dur": 1)")), 2, "dropped",
             "usable time"},
        Case{"time as a string", among_good(slice_with(R"("name": "n", "ts": "1.5", "dur": "2")")), 3,
             "repaired", "time written as a string"},
        Case{"negative duration", among_good(slice_with(R"("name": "n", "ts": 1, "dur": -3)")), 3, "clamped",
             "negative duration"},
        Case{"no duration", among_good(slice_with(R"("name": "n", "ts": 1)")), 3, "clamped",
             "without duration"},
        Case{"zero time", among_good(slice_with(R"("name": "n", "ts": 0, "dur": 0)")), 3, "", ""},
        Case{"duplicate argument",
             among_good(slice_with(R"("name": "n", "ts": 1, "dur": 1, "args": {"a": 1, "a": 2})")), 3,
             "repaired", "duplicate key"},
        Case{"duplicate name", among_good(slice_with(R"("name": "n", "name": "m", "ts": 1, "dur": 1)")), 3,
             "repaired", "duplicate key"},
        Case{"integer of 30 digits",
             among_good(slice_with(
                 R"("name": "n", "ts": 1, "dur": 1, "args": {"a": 123456789012345678901234567890})")),
             3, "", ""},
        Case{"number beyond a double",
             among_good(slice_with(R"("name": "n", "ts": 1, "dur": 1, "args": {"a": 1e999, "b": 1e-999})")),
             3, "", ""},
        Case{"number with leading zeros",
             among_good(slice_with(R"("name": "n", "ts": 1, "dur": 1, "args": {"a": 007})")), 3, "repaired",
             "malformed number"},
        Case{"missing comma", among_good(slice_with(R"("name": "n" "ts": 1, "dur": 1)")), 3, "repaired",
             "comma"},
        Case{"trailing comma in a record", among_good(slice_with(R"("name": "n", "ts": 1, "dur": 1,)")), 3,
             "repaired", "comma"},
        Case{"trailing comma in the array", trace_of(good + ","), 1, "repaired", "comma"},
        Case{
            "record not closed",
            among_good(R"({"ph": "X", "name": "n", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"a": 1})"),
            3, "repaired", "not closed"},
        Case{"not an object", among_good("17, null, [], \"x\""), 2, "dropped", "not an object"},
        Case{"empty object", among_good("{}"), 2, "dropped", "does not show"},
        Case{"unknown phase", among_good(R"({"ph": "b", "name": "n", "id": 1, "pid": 0, "tid": 0, "ts": 1})"),
             2, "dropped", "does not show"},
        Case{"end without begin", among_good(R"({"ph": "E", "pid": 0, "tid": 0, "ts": 1})"), 2, "dropped",
             "not begun"},
        Case{"begin without end", among_good(R"({"ph": "B", "name": "n", "pid": 0, "tid": 0, "ts": 1})"), 3,
             "clamped", "not ended"},
        Case{"counter without number",
             among_good(R"({"ph": "C", "name": "n", "pid": 0, "ts": 1, "args": {"a": "b"}})"), 2, "dropped",
             "counter"},
        Case{"nested a hundred thousand deep",
             among_good(slice_with(R"("name": "n", "ts": 1, "dur": 1, "args": {"a": )" +
                                   std::string(100000, '[') + std::string(100000, ']') + "}")),
             2, "dropped", "cannot be read"}));

INSTANTIATE_TEST_SUITE_P(
    Files, BrokenTrace,
    testing::Values(
        Case{"byte order mark", "\xEF\xBB\xBF" + trace_of(good), 1, "repaired", "byte order mark"},
        Case{"CR LF",
             "{\r\n\"traceEvents\": [\r\n" + good + ",\r\n" + good +
                 "\r\n],\r\n\"baseTimeNanoseconds\": 0\r\n}\r\n",
             2, "", ""},
        Case{"zero events", trace_of(""), 0, "", ""}, Case{"empty array", "[]", 0, "", ""},
        Case{"array not closed", "[" + good + "," + good, 2, "noted", "ends early"},
        Case{"bytes after the end", trace_of(good) + "garbage", 1, "noted", "after the end"},
        Case{"brace too many", R"({"traceEvents": [)" + good + "}," + good + "]}", 2, "repaired", "bracket"},
        Case{"metadata that is no JSON", R"({"x": @#!, "traceEvents": [)" + good + "]}", 1, "", ""},
        Case{"metadata without value", R"({"x": , "y": "z", "traceEvents": [)" + good + "]}", 1, "", ""}));

std::string error_of(const std::string& text) {
  try {
    (void)read_trace_bytes(text, "trace.json");
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ForeignTrace, IsNamedForWhatItIs) {
  EXPECT_THAT(error_of(""),
              testing::HasSubstr("trace.json: not readable as Chrome JSON at byte 0: the file is empty"));
  EXPECT_THAT(error_of(" \n "), testing::HasSubstr("white space"));
  EXPECT_THAT(error_of(R"({"rocprofiler-sdk-tool": [{}]})"), testing::HasSubstr("rocprofiler-sdk JSON"));
  EXPECT_THAT(error_of(R"({"schema": "1.1.0-chakra.0.0.4", "pid": 1, "nodes": []})"),
              testing::HasSubstr("PyTorch ET"));
  EXPECT_THAT(error_of("SQLite format 3"), testing::HasSubstr("SQLite"));
  EXPECT_THAT(error_of("<!DOCTYPE html>"), testing::HasSubstr("HTML"));
  EXPECT_THAT(error_of("\x28\xB5\x2F\xFD rest"), testing::HasSubstr("zstd"));
  EXPECT_THAT(error_of("plain words"), testing::HasSubstr("expected { or ["));
  EXPECT_THAT(error_of(R"({"a": 1})"), testing::HasSubstr("no array traceEvents"));
  EXPECT_THAT(error_of(R"({"a": 1, "b")"), testing::HasSubstr("ends before traceEvents"));
  EXPECT_THAT(error_of("[[1, 2], [3, 4]]"), testing::HasSubstr("no trace events"));
}

TEST(BrokenTraceReport, GivesTheByteOfTheFirstOfEachKind) {
  const std::string bad = slice_with(R"("name": "n", "ts": 1, "dur": -3)");
  const std::string text = among_good(bad + "," + bad);
  const TraceImport import = read_trace_bytes(text, "rank_0.json");
  ASSERT_EQ(import.report.notes.size(), 1U);
  EXPECT_EQ(import.report.notes[0].count, 2U);
  EXPECT_EQ(import.report.notes[0].first_offset, text.find(bad));
  EXPECT_EQ(import.report.count(ImportAction::clamped), 2U);
  EXPECT_EQ(to_text(import.report),
            "clamped 2: negative duration set to 0 (first at byte " + std::to_string(text.find(bad)) + ")\n");
}

TEST(BrokenTraceValues, AreKeptAsExactlyAsTheyCanBe) {
  const auto import = read_trace_bytes(among_good(slice_with(R"("name": "a "b"", "ts": 1, "dur": 1,
                               "args": {"big": 123456789012345678901234567890, "nan": NaN, "last": 1, "last": 2})")),
                                       "rank_0.json");
  const Timeline& timeline = import.timeline;
  EXPECT_EQ(timeline.name_text(1), "a \"b\"");
  EXPECT_EQ(timeline.strings[std::get<StringId>(timeline.find_argument(1, "big")->value)],
            "123456789012345678901234567890");
  EXPECT_TRUE(timeline.find_argument(1, "big")->raw_json);
  EXPECT_EQ(timeline.strings[std::get<StringId>(timeline.find_argument(1, "nan")->value)], "NaN");
  EXPECT_EQ(std::get<std::int64_t>(timeline.find_argument(1, "last")->value), 2);
}

}  // namespace
}  // namespace paceline
