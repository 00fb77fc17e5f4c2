#include "traces/kineto/kineto_reader.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "base/error.h"
#include "traces/json_check.h"
#include "traces/kineto/byte_source.h"
#include "traces/kineto/event_parser.h"
#include "traces/kineto/event_scanner.h"
#include "traces/kineto/foreign_format.h"
#include "traces/kineto/json_repair.h"
#include "traces/kineto/timeline_builder.h"

namespace paceline {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::int64_t> leading_integer(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == ' ')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc()) return std::nullopt;
  return number;
}

class Reader : public EventScanner::Handler {
 public:
  explicit Reader(const std::string& file)
      : file_(file), builder_(import_.timeline, findings_), scanner_(*this, findings_) {}

  TraceImport read(std::unique_ptr<ByteSource> compressed) {
    const std::unique_ptr<ByteSource> source = uncompress(std::move(compressed));
    std::vector<char> block(std::size_t{1} << 18U);
    while (const std::size_t count = source->read(block.data(), block.size()))
      scanner_.feed({block.data(), count});
    scanner_.finish();
    const auto damage = source->damage();
    check_content(damage);
    finish(damage);
    return std::move(import_);
  }

  void on_record(std::string& text, std::uint64_t offset) override {
    if (const EventRecord* record = parser_.parse(text, offset, findings_)) builder_.add(*record, offset);
  }

  void on_key(const std::string& key, std::uint64_t offset) override {
    keys_.insert(key);
    if (!scanner_.found_events()) check_foreign_keys(file_, keys_, offset);
  }

  void on_member(const std::string& key, std::string& value, std::uint64_t offset) override {
    while (!value.empty() && std::string_view(" \n\r\t").find(value.back()) != std::string_view::npos)
      value.pop_back();
    if (!is_json(value)) {
      value = repair_json(value).text;
      if (!is_json(value)) return findings_.add(Finding::bad_metadata, offset);
    }
    if (key == "schemaVersion") {
      schema_ = value;
    } else if (key == "baseTimeNanoseconds") {
      base_time_ = leading_integer(value);
    } else if (key != "displayTimeUnit") {
      import_.timeline.metadata[key] = value;
    }
  }

  void on_foreign(std::string_view start, std::uint64_t offset) override {
    throw_foreign_bytes(file_, start, offset);
  }

 private:
  void check_content(const std::optional<std::string>& damage) {
    const std::string reason = damage ? ": " + *damage : "";
    if (scanner_.offset() == 0) throw TraceError(file_, "Chrome JSON", 0, "the file is empty" + reason);
    if (!scanner_.started())
      throw TraceError(file_, "Chrome JSON", 0, "the file holds nothing but white space" + reason);
    if (!scanner_.found_events()) {
      const bool cut = findings_.count(Finding::cut) != 0;
      throw TraceError(file_, "Chrome JSON", scanner_.offset(),
                       (cut ? "the file ends before traceEvents" : "there is no array traceEvents") + reason);
    }
    if (scanner_.records() == 0 && findings_.count(Finding::not_a_record) != 0)
      throw TraceError(file_, "Chrome JSON", 0, "the array holds no trace events");
  }

  // The word "rank" of distributedInfo, as a number or a string.
  [[nodiscard]] std::optional<std::int32_t> rank_in_metadata() const {
    const auto found = import_.timeline.metadata.find("distributedInfo");
    if (found == import_.timeline.metadata.end()) return std::nullopt;
    const auto value = json_member(found->second, "rank");
    const auto rank = value ? leading_integer(*value) : std::nullopt;
    if (!rank || *rank < 0 || *rank > 1'000'000'000) return std::nullopt;
    return static_cast<std::int32_t>(*rank);
  }

  void finish(const std::optional<std::string>& damage) {
    Timeline& timeline = import_.timeline;
    const auto rank = rank_in_metadata();
    const std::int32_t known = rank ? *rank : rank_in_file_name(file_).value_or(-1);
    import_.report.flow_ends = builder_.finish(known);
    if (base_time_) {
      timeline.base_time = *base_time_;
    } else if (timeline.slice_count() > 0) {
      // Never back: a broken time far before 1970 would push all others out of range.
      timeline.rebase(std::max<Nanoseconds>(0, earliest(timeline)));
    }
    const bool without_rank = std::any_of(timeline.tracks.begin(), timeline.tracks.end(),
                                          [](const Track& track) { return track.rank < 0; });
    if (without_rank) findings_.add(Finding::no_rank, 0);
    ImportReport& report = import_.report;
    report.format = scanner_.is_array() ? "Chrome JSON, array"
                    : schema_.empty()   ? "Chrome JSON"
                                        : "Kineto JSON, schema " + schema_;
    report.bytes = scanner_.offset();
    report.records = scanner_.records();
    report.truncated = damage.has_value() || !scanner_.complete();
    report.notes = findings_.notes();
    if (damage)
      report.notes.push_back(
          {ImportAction::noted, *damage + "; what came before is kept", 1, scanner_.offset()});
  }

  static Nanoseconds earliest(const Timeline& timeline) {
    Nanoseconds time = timeline.start(0);
    for (SliceId slice = 1; slice < timeline.slice_count(); ++slice)
      time = std::min(time, timeline.start(slice));
    return time;
  }

  std::string file_;
  TraceImport import_;
  FindingLog findings_;
  TimelineBuilder builder_;
  EventParser parser_;
  EventScanner scanner_;
  std::set<std::string> keys_;
  std::string schema_;
  std::optional<Nanoseconds> base_time_;
};

}  // namespace

TraceImport read_trace(const std::string& file) { return Reader(file).read(open_file(file)); }

TraceImport read_trace_bytes(std::string_view bytes, const std::string& name) {
  return Reader(name).read(open_memory(bytes));
}

std::optional<std::int32_t> rank_in_file_name(std::string_view file) {
  std::string name(file.substr(file.find_last_of('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (std::size_t at = name.find("rank"); at != std::string::npos; at = name.find("rank", at + 1)) {
    std::size_t digits = at + 4;
    if (digits < name.size() && std::string_view("_-.=").find(name[digits]) != std::string_view::npos)
      ++digits;
    if (digits >= name.size() || !is_digit(name[digits])) continue;
    const auto rank = leading_integer(std::string_view(name).substr(digits));
    if (rank && *rank <= 1'000'000'000) return static_cast<std::int32_t>(*rank);
  }
  return std::nullopt;
}

}  // namespace paceline
