#include "sim/study/nccl_tests/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/study/nccl_tests/consistency.h"
#include "sim/study/nccl_tests/debug_lines.h"
#include "sim/study/nccl_tests/log_line.h"
#include "sim/study/nccl_tests/row.h"

namespace paceline::nccl_tests {
namespace {

constexpr std::size_t most_repairs = 64;
constexpr std::size_t most_tables = 1024;
constexpr std::size_t most_mixed_rows = 4096;  // sizes of a table whose rows came out of order

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Words of a row's second half, which came after another line.
bool is_rest_of_row(const std::vector<std::string_view>& words) {
  return !words.empty() && words.size() < 10 &&
         std::all_of(words.begin(), words.end(),
                     [](std::string_view word) { return number_of(word) || word == "N/A"; });
}

}  // namespace

void Reader::repair(const std::string& what) {
  if (repaired_.size() >= most_repairs && !repaired_.contains(what)) return;
  auto& [count, first] = repaired_.try_emplace(what, 0, line_number_).first->second;
  ++count;
}

void Reader::line(std::string_view raw) {
  ++line_number_;
  const LogLine cleaned = clean_line(raw);
  std::string_view text = cleaned.text;
  const std::size_t debug = debug_line_start(text);
  if (debug != std::string_view::npos || contains(text, "CCL version ")) {
    read_debug_line(text, log_.debug);
    if (debug == std::string_view::npos || debug == 0) return;
    text = text.substr(0, debug);  // the beginning of a row may stand before it
  }
  Stream& stream = streams_[cleaned.stream];
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return;
  if (debug == std::string_view::npos) names(stream, text);
  if (text[begin] == '#') return comment(stream, text.substr(begin));
  if (row(stream, text) || debug != std::string_view::npos) return;
  launcher(text);
}

bool Reader::row(Stream& stream, std::string_view text) {
  if (const auto torch = parse_markdown_row(text)) {
    add(stream, *torch, "", "");
    return true;
  }
  const auto words = words_of(text);
  if (const auto parsed = parse_row(words)) {
    if (!stream.pending.empty()) repair("a row that was cut off");
    stream.pending.clear();
    add(stream, parsed->row, parsed->data_type, parsed->reduction);
    return true;
  }
  if (is_row_start(words)) {
    if (words.size() > 13) {
      repair("a row with more columns than nccl-tests prints");
      return true;
    }
    stream.pending = std::string(text);
    stream.pending_line = line_number_;
    return true;
  }
  if (stream.pending.empty() || !is_rest_of_row(words)) return false;
  stream.pending += " " + std::string(text);
  if (const auto parsed = parse_row(words_of(stream.pending))) {
    repair("a row joined again that another line had cut in two");
    add(stream, parsed->row, parsed->data_type, parsed->reduction);
    stream.pending.clear();
  }
  if (stream.pending.size() > 1024) stream.pending.clear();
  return true;
}

// Of two jobs' rows the first of a size counts.
void Reader::insert(Stream& stream, const NcclTestsRow& row) {
  std::vector<NcclTestsRow>& rows = log_.tables[stream.table].rows;
  const auto place =
      std::lower_bound(rows.begin(), rows.end(), row,
                       [](const NcclTestsRow& a, const NcclTestsRow& b) { return a.bytes < b.bytes; });
  if (place != rows.end() && place->bytes == row.bytes)
    return repair(stream.mixed ? "a row of the other job" : "a second row of the same size");
  if (rows.size() < most_mixed_rows || place == rows.end()) rows.insert(place, row);
}

// Tables of one run follow each other without a header when several types or cycles were asked for.
void Reader::add(Stream& stream, const NcclTestsRow& found, const std::string& type,
                 const std::string& reduction) {
  NcclTestsRow row = found;
  row.line = line_number_;
  if (stream.open) {
    const NcclTestsTable& table = log_.tables[stream.table];
    const bool other = table.data_type != type || table.reduction != reduction;
    const bool again = row.bytes < table.rows.back().bytes;
    if (again && stream.interrupted) mix(stream);
    if (stream.mixed || (!other && !again)) return insert(stream, row);
  }
  if (log_.tables.size() >= most_tables) return repair("a table beyond the number that is read");
  if (!stream.header.device_list)
    stream.header.device_list = std::make_shared<const std::vector<NcclTestsDevice>>(stream.devices);
  NcclTestsTable table = stream.header;
  table.data_type = type;
  table.reduction = reduction;
  table.collective = collective_;
  table.collective_from = collective_from_;
  stream.table = log_.tables.size();
  log_.tables.push_back(std::move(table));
  log_.tables.back().rows.push_back(row);
  stream.open = stream.header_used = true;
}

NcclTestsLog Reader::finish() {
  for (const auto& [name, stream] : streams_)
    if (!stream.pending.empty()) repair("a row that was cut off");
  if (log_.tables.empty()) {
    throw InputError(
        log_.file,
        fmt::format("{} {} and no row of a table", line_number_, line_number_ == 1 ? "line" : "lines"),
        "the output of nccl-tests: rows of size, count, type, time, algbw, busbw",
        "give the log that all_reduce_perf or a sister of it printed, or its JSON");
  }
  for (const auto& [what, where] : repaired_)
    log_.repairs.push_back(
        where.first == 1 ? fmt::format("line {}: {}", where.second, what)
                         : fmt::format("{} times, first in line {}: {}", where.first, where.second, what));
  complete(log_);
  return std::move(log_);
}

}  // namespace paceline::nccl_tests
