#include "sim/study/nccl_tests/row.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "sim/study/nccl_tests/log_line.h"

namespace paceline::nccl_tests {
namespace {

constexpr double largest_bytes = 1125899906842624.0;  // 1 PiB: more is a misread line
constexpr double largest_micro = 1e12;                // eleven days for one call

bool is_reduction(std::string_view word) {
  static constexpr std::array names{"sum", "prod", "max", "min", "avg", "mulsum", "none", "all"};
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool is_type(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0 && word != "N/A" &&
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool is_missing(std::string_view word) {
  return word == "N/A" || word == "n/a" || word == "-" || word == "nan";
}

// How many of the leading words are size, count, type, operation; 0 when it is no row.
std::size_t head_length(const std::vector<std::string_view>& words) {
  if (words.size() < 3) return 0;
  const auto bytes = integer_of(words[0]), count = integer_of(words[1]);
  if (!bytes || !count || *bytes < 0 || *count < 0 || !is_type(words[2])) return 0;
  return words.size() > 3 && is_reduction(words[3]) ? 4 : 3;
}

// Half a unit of the last decimal that is printed.
double half_decimal(std::string_view word) {
  const std::size_t point = word.find('.');
  return point == std::string_view::npos
             ? 0.5
             : 0.5 * std::pow(10.0, -static_cast<double>(word.size() - point - 1));
}

// One group of columns; false when a word is neither a number nor "N/A".
bool read_group(const std::vector<std::string_view>& words, std::size_t at, std::size_t length, bool first,
                NcclTestsRow& row) {
  for (std::size_t index = at; index < at + length; ++index)
    if (!number_of(words[index]) && !is_missing(words[index])) return false;
  const auto time = number_of(words[at]);
  if (time && *time > 0 && *time <= largest_micro)
    (first ? row.out_of_place : row.in_place) = microseconds(*time);
  if (first || !row.out_of_place) {
    row.algbw = number_of(words[at + 1]);
    row.busbw = number_of(words[at + 2]);
    row.decimals = std::max(half_decimal(words[at + 1]), half_decimal(words[at + 2]));
  }
  // Before 2.10 the last column was the largest error, a fraction; later ones count wrong elements.
  if (length == 4)
    if (const auto wrong = integer_of(words[at + 3])) row.wrong += std::max(0LL, std::min(*wrong, 1LL << 60));
  return true;
}

double unit_factor(std::string_view unit) {
  if (unit == "B") return 1;
  if (unit == "KB" || unit == "KiB") return 1024;
  if (unit == "MB" || unit == "MiB") return 1024.0 * 1024;
  if (unit == "GB" || unit == "GiB") return 1024.0 * 1024 * 1024;
  return 0;
}

// "1.20GBps" in GB/s.
std::optional<double> markdown_rate(std::string_view cell) {
  if (!cell.ends_with("GBps")) return std::nullopt;
  cell.remove_suffix(4);
  return number_of(cell);
}

}  // namespace

bool is_row_start(const std::vector<std::string_view>& words) { return head_length(words) > 0; }

std::optional<ParsedRow> parse_row(const std::vector<std::string_view>& words) {
  const std::size_t head = head_length(words);
  if (head == 0) return std::nullopt;
  const std::size_t rest = words.size() - head;
  // Eight: two groups with a check; nine: and a root; six, seven: without a check; three to five: one group.
  std::size_t groups = 0, length = 0;
  if (rest == 8 || rest == 9) groups = 2, length = 4;
  if (rest == 6 || rest == 7) groups = 2, length = 3;
  if (rest == 4 || rest == 5) groups = 1, length = 4;
  if (rest == 3) groups = 1, length = 3;
  if (groups == 0) return std::nullopt;
  ParsedRow parsed;
  parsed.data_type = std::string(words[2]);
  if (head == 4) parsed.reduction = std::string(words[3]);
  parsed.row.bytes = Bytes(static_cast<double>(*integer_of(words[0])));
  std::size_t at = head + (rest - groups * length);
  for (std::size_t group = 0; group < groups; ++group, at += length)
    if (!read_group(words, at, length, group == 0, parsed.row)) return std::nullopt;
  const bool timed = parsed.row.out_of_place || parsed.row.in_place;
  if (!timed || parsed.row.bytes.value() <= 0 || parsed.row.bytes.value() > largest_bytes)
    return std::nullopt;
  return parsed;
}

std::optional<NcclTestsRow> parse_markdown_row(std::string_view line) {
  std::vector<std::string_view> cells;
  for (const std::string_view word : words_of(line))
    if (word != "|") cells.push_back(word);
  if (cells.size() != 3 || line.find('|') == std::string_view::npos) return std::nullopt;
  const std::size_t unit = cells[0].find_first_not_of("0123456789.");
  if (unit == std::string_view::npos) return std::nullopt;
  const auto amount = number_of(cells[0].substr(0, unit));
  const auto busbw = markdown_rate(cells[1]), algbw = markdown_rate(cells[2]);
  const double bytes = amount ? *amount * unit_factor(cells[0].substr(unit)) : 0;
  // Below 0.1 GB/s two decimals say nothing about the time.
  if (bytes <= 0 || bytes > largest_bytes || !busbw || !algbw || *algbw < 0.1 || *algbw > 1e6)
    return std::nullopt;
  NcclTestsRow row;
  row.bytes = Bytes(bytes);
  row.out_of_place = row.bytes / gigabytes_per_second(*algbw);
  row.algbw = algbw;
  row.busbw = busbw;
  return row;
}

}  // namespace paceline::nccl_tests
