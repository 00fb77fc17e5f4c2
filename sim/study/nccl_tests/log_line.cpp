#include "sim/study/nccl_tests/log_line.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace paceline::nccl_tests {
namespace {

constexpr std::size_t longest_line = 16384;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Without "ESC [ ... letter", with blanks for other control characters, and with ? for what is not ASCII:
// nothing that is read from a log needs more, and its bytes may be of any encoding.
std::string without_escapes(std::string_view line) {
  std::string text;
  line = line.substr(0, longest_line);
  text.reserve(line.size());
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b' && at + 1 < line.size() && line[at + 1] == '[') {
      at += 2;
      while (at < line.size() && (line[at] < '@' || line[at] > '~')) ++at;
      continue;
    }
    const auto byte = static_cast<unsigned char>(line[at]);
    text += byte >= 0x80 ? '?' : std::iscntrl(byte) != 0 ? ' ' : line[at];
  }
  return text;
}

std::string_view trimmed_left(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// Length of the text's beginning that has the pattern's form: 0 stands for a digit.
std::size_t matches(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return 0;
  for (std::size_t at = 0; at < pattern.size(); ++at)
    if (pattern[at] == '0' ? !is_digit(text[at]) : text[at] != pattern[at]) return 0;
  return pattern.size();
}

// "2026-01-31T12:00:00.123Z ", "2026-01-31 12:00:00,123 ", "12:00:00 ", also in brackets.
std::size_t time_stamp(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '[' ? 1 : 0;
  const bool bracket = at == 1;
  if (const std::size_t date =
          std::max(matches(text.substr(at), "0000-00-00"), matches(text.substr(at), "0000/00/00"))) {
    at += date;
    if (at < text.size() && (text[at] == 'T' || text[at] == ' ')) ++at;
  }
  const std::size_t clock = matches(text.substr(at), "00:00:00");
  if (clock == 0) return 0;
  at += clock;
  while (at < text.size() &&
         (is_digit(text[at]) || std::string_view(".,Z+:").find(text[at]) != std::string_view::npos))
    ++at;
  if (bracket) {
    if (at >= text.size() || text[at] != ']') return 0;
    ++at;
  }
  return at < text.size() && is_blank(text[at]) ? at + 1 : 0;
}

// What a prefix is taken off for: a comment, a row, or a line of NCCL's.
bool of_interest(std::string_view rest) {
  rest = trimmed_left(rest);
  return rest.empty() || rest[0] == '#' || rest[0] == '[' || is_digit(rest[0]) ||
         rest.find("NCCL") != std::string_view::npos || rest.find("_perf") != std::string_view::npos;
}

// "[1,0]<stdout>:", "[rank0]:", "[pod/worker] ": what stands in the brackets, and the length of it all.
std::size_t bracket_mark(std::string_view text, std::string_view& name) {
  const std::size_t close = text.substr(0, 200).find(']');
  if (text.empty() || text[0] != '[' || close == std::string_view::npos) return 0;
  std::size_t at = close + 1;
  for (const std::string_view output : {"<stdout>", "<stderr>"})
    if (text.substr(at).starts_with(output)) at += output.size();
  if (at < text.size() && text[at] == ':')
    ++at;
  else if (at >= text.size() || !is_blank(text[at]))
    return 0;
  if (!of_interest(text.substr(at))) return 0;
  name = text.substr(1, close - 1);
  return at;
}

// "0: ", "node1: ", "launcher-0:\t".
std::size_t label(std::string_view text, std::string_view& name) {
  std::size_t at = 0;
  while (at < text.size() && at < 128 &&
         (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
          std::string_view("._-/").find(text[at]) != std::string_view::npos))
    ++at;
  if (at == 0 || at + 1 >= text.size() || text[at] != ':' || !(is_blank(text[at + 1]) || text[at + 1] == '#'))
    return 0;
  if (!of_interest(text.substr(at + 1))) return 0;
  name = text.substr(0, at);
  return at + 1;
}

}  // namespace

LogLine clean_line(std::string_view line) {
  LogLine result;
  const std::string text = without_escapes(line);
  std::string_view rest = text;
  for (int layer = 0; layer < 4; ++layer) {
    const std::string_view inner = trimmed_left(rest);
    std::string_view name;
    std::size_t length = time_stamp(inner);
    if (length == 0) length = bracket_mark(inner, name);
    if (length == 0) length = label(inner, name);
    if (length == 0) break;
    if (!name.empty()) result.stream += (result.stream.empty() ? "" : " ") + std::string(name);
    rest = inner.substr(length);
  }
  result.text = std::string(rest);
  return result;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = text.find_first_not_of(" \t");
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \t", end);
  }
  return words;
}

std::optional<double> number_of(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<long long> integer_of(std::string_view word) {
  long long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string_view word_after(std::string_view text, std::string_view key) {
  const std::size_t found = text.find(key);
  if (found == std::string_view::npos) return {};
  const std::size_t at = text.find_first_not_of(" \t=:", found + key.size());
  if (at == std::string_view::npos) return {};
  return text.substr(at, std::min(text.find_first_of(" \t,;", at), text.size()) - at);
}

}  // namespace paceline::nccl_tests
