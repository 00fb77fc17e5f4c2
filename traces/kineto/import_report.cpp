#include "traces/kineto/import_report.h"

namespace paceline {
namespace {

struct FindingText {
  ImportAction action;
  std::string_view text;
};

constexpr std::size_t finding_count = static_cast<std::size_t>(Finding::count_);

// In the order of the enumeration.
constexpr std::array<FindingText, finding_count> finding_table = {{
    {ImportAction::repaired, "byte order mark skipped"},
    {ImportAction::repaired, "record with an unescaped control character in a string"},
    {ImportAction::repaired, "record with an unescaped quote in a string"},
    {ImportAction::repaired, "record with an invalid escape in a string"},
    {ImportAction::repaired, "record with bytes that are not UTF-8, replaced by U+FFFD"},
    {ImportAction::repaired, "record with NaN, Infinity or another bare word, kept as a string"},
    {ImportAction::repaired, "record with a malformed number, kept as a string"},
    {ImportAction::repaired, "comma too many or missing"},
    {ImportAction::repaired, "bracket too many or of the wrong kind"},
    {ImportAction::repaired, "record that was not closed"},
    {ImportAction::repaired, "duplicate key: the last value counts"},
    {ImportAction::repaired, "time written as a string"},
    {ImportAction::clamped, "negative duration set to 0"},
    {ImportAction::clamped, "slice without duration: set to 0"},
    {ImportAction::clamped, "slice that was begun and not ended: ends with the trace"},
    {ImportAction::dropped, "record that cannot be read"},
    {ImportAction::dropped, "element of traceEvents that is not an object"},
    {ImportAction::dropped, "record above 64 MiB"},
    {ImportAction::dropped, "record without a usable time"},
    {ImportAction::dropped, "end of a slice that was not begun"},
    {ImportAction::dropped, "record of a kind that Paceline does not show"},
    {ImportAction::dropped, "counter sample without a number"},
    {ImportAction::dropped, "metadata that is not JSON"},
    {ImportAction::dropped, "flow start or end without a partner or a slice"},
    {ImportAction::noted, "bytes after the end of the trace"},
    {ImportAction::noted, "the file ends early; the complete records before are kept"},
    {ImportAction::noted, "the trace does not say its rank"},
}};

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string_view to_string(ImportAction action) {
  switch (action) {
    case ImportAction::repaired:
      return "repaired";
    case ImportAction::clamped:
      return "clamped";
    case ImportAction::dropped:
      return "dropped";
    case ImportAction::noted:
      return "noted";
  }
  return "noted";
}

std::uint64_t ImportReport::count(ImportAction action) const {
  std::uint64_t total = 0;
  for (const ImportNote& note : notes) total += note.action == action ? note.count : 0;
  return total;
}

std::string to_text(const ImportReport& report) {
  std::string text;
  for (const ImportNote& note : report.notes) {
    text += to_string(note.action);
    text += ' ' + grouped(note.count) + ": " + note.text;
    text += " (first at byte " + grouped(note.first_offset) + ")\n";
  }
  return text;
}

void FindingLog::add(Finding finding, std::uint64_t offset, std::uint64_t times) {
  Entry& entry = entries_[static_cast<std::size_t>(finding)];
  if (entry.count == 0) entry.first_offset = offset;
  entry.count += times;
}

std::uint64_t FindingLog::count(Finding finding) const {
  return entries_[static_cast<std::size_t>(finding)].count;
}

std::vector<ImportNote> FindingLog::notes() const {
  std::vector<ImportNote> notes;
  for (std::size_t index = 0; index < finding_count; ++index) {
    if (entries_[index].count == 0) continue;
    notes.push_back({finding_table[index].action, std::string(finding_table[index].text),
                     entries_[index].count, entries_[index].first_offset});
  }
  return notes;
}

}  // namespace paceline
