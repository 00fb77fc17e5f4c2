#include "traces/chrome/chrome_writer.h"

#include <ostream>

#include "base/file.h"
#include "traces/chrome/chrome_events.h"
#include "traces/chrome/json_output.h"
#include "traces/gzip.h"
#include "traces/json_check.h"

namespace paceline {
namespace {

// Keys that the writer sets itself.
bool is_envelope(const std::string& key) {
  return key == "schemaVersion" || key == "displayTimeUnit" || key == "baseTimeNanoseconds" ||
         key == "traceEvents" || key == "traceName";
}

void append_member(std::string& out, const std::string& key, const std::string& value) {
  out += "\n  ";
  append_json_string(out, key);
  out += ": ";
  if (is_json(value)) {
    out += value;
  } else {
    append_json_string(out, value);
  }
  out += ',';
}

// Other tools take the rank of a file from distributedInfo: given for a Timeline of one rank that has none.
void append_rank(std::string& out, const Timeline& timeline) {
  if (timeline.tracks.empty() || timeline.metadata.count("distributedInfo") != 0) return;
  const std::int32_t rank = timeline.tracks.front().rank;
  for (const Track& track : timeline.tracks)
    if (track.rank != rank) return;
  if (rank < 0) return;
  out += "\n  \"distributedInfo\": {\"rank\": ";
  append_integer(out, rank);
  out += "},";
}

}  // namespace

std::string to_chrome_json(const Timeline& timeline) {
  std::string out = "{\n  \"schemaVersion\": 1,";
  for (const auto& [key, value] : timeline.metadata)
    if (!is_envelope(key)) append_member(out, key, value);
  append_rank(out, timeline);
  out += "\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": ";
  append_integer(out, timeline.base_time);
  out += ",\n  \"traceEvents\": [";
  append_chrome_events(out, timeline);
  out += "\n  ]";
  if (const auto name = timeline.metadata.find("traceName"); name != timeline.metadata.end()) {
    out += ',';
    append_member(out, name->first, name->second);
    out.pop_back();
  }
  out += "\n}\n";
  return out;
}

void write_chrome_json(const Timeline& timeline, std::ostream& stream) { stream << to_chrome_json(timeline); }

void write_chrome_json(const Timeline& timeline, const std::string& file) {
  const std::string text = to_chrome_json(timeline);
  write_file(file, file.ends_with(".gz") ? gzip(text) : text);
}

}  // namespace paceline
