// What a reader did to a trace that was not as it should be.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

enum class ImportAction : std::uint8_t { repaired, clamped, dropped, noted };
[[nodiscard]] std::string_view to_string(ImportAction action);

// One kind of thing that was wrong.
struct ImportNote {
  ImportAction action = ImportAction::noted;
  std::string text;  // one line, such as "negative duration set to 0"
  std::uint64_t count = 0;
  std::uint64_t first_offset = 0;  // byte of the first one, in the uncompressed text
};

struct ImportReport {
  std::string format;             // "Kineto JSON, schema 1", "Chrome JSON (array)"
  std::uint64_t bytes = 0;        // uncompressed
  std::uint64_t records = 0;      // complete records in traceEvents, readable or not
  std::uint64_t flow_ends = 0;    // starts and ends that found no partner or no slice
  bool truncated = false;         // the file ends early; everything before is kept
  std::vector<ImportNote> notes;  // empty for a clean file

  [[nodiscard]] std::uint64_t count(ImportAction action) const;
};

// A line a note: "dropped 3: record that cannot be read (first at byte 1,234)".
[[nodiscard]] std::string to_text(const ImportReport& report);

// The kinds that the Chrome JSON reader knows; see finding_table in the source for what each means.
enum class Finding : std::uint8_t {
  byte_order_mark,
  control_character,
  stray_quote,
  bad_escape,
  invalid_utf8,
  bare_word,
  bad_number,
  misplaced_comma,
  misplaced_bracket,
  unclosed_record,
  duplicate_key,
  text_time,
  negative_duration,
  missing_duration,
  unended_slice,
  unreadable_record,
  not_a_record,
  oversized_record,
  missing_time,
  end_without_begin,
  unknown_phase,
  bad_counter,
  bad_metadata,
  flow_end,
  after_end,
  cut,
  no_rank,
  count_
};

class FindingLog {
 public:
  void add(Finding finding, std::uint64_t offset, std::uint64_t times = 1);
  [[nodiscard]] std::uint64_t count(Finding finding) const;
  [[nodiscard]] std::vector<ImportNote> notes() const;  // of the kinds that occurred

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::uint64_t first_offset = 0;
  };
  std::array<Entry, static_cast<std::size_t>(Finding::count_)> entries_;
};

}  // namespace paceline
