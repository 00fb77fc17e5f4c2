#include "traces/kineto/json_token.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "traces/chrome/json_output.h"

namespace paceline {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits(std::string_view token, std::size_t at) {
  while (at < token.size() && is_digit(token[at])) ++at;
  return at;
}

// The code unit of the "uXXXX" that begins at `at`.
std::optional<unsigned> unicode_escape(std::string_view text, std::size_t at) {
  if (at + 5 > text.size() || text[at] != 'u') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data() + at + 1, text.data() + at + 5, value, 16);
  if (error != std::errc() || end != text.data() + at + 5) return std::nullopt;
  return value;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Appends the escape at `at` (after its backslash) and returns its length; 0 if it is none.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t at) {
  if (at < text.size() && std::string_view("\"\\/bfnrt").find(text[at]) != std::string_view::npos) {
    out += '\\';
    out += text[at];
    return 1;
  }
  const auto unit = unicode_escape(text, at);
  if (!unit || is_low(*unit)) return 0;
  std::size_t length = 5;
  if (is_high(*unit)) {
    const auto second =
        at + 6 < text.size() && text[at + 5] == '\\' ? unicode_escape(text, at + 6) : std::nullopt;
    if (!second || !is_low(*second)) return 0;
    length = 11;
  }
  out += '\\';
  out += text.substr(at, length);
  return length;
}

}  // namespace

bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool is_json_number(std::string_view token) {
  std::size_t at = token.starts_with('-') ? 1 : 0;
  std::size_t end = digits(token, at);
  if (end == at || (token[at] == '0' && end > at + 1)) return false;
  if (end < token.size() && token[end] == '.') {
    at = end + 1;
    end = digits(token, at);
    if (end == at) return false;
  }
  if (end < token.size() && (token[end] == 'e' || token[end] == 'E')) {
    at = end + 1;
    if (at < token.size() && (token[at] == '+' || token[at] == '-')) ++at;
    end = digits(token, at);
    if (end == at) return false;
  }
  return end == token.size();
}

bool looks_like_number(std::string_view token) {
  while (!token.empty() && (token.front() == '-' || token.front() == '+' || token.front() == '.'))
    token.remove_prefix(1);
  return !token.empty() && is_digit(token.front());
}

StringInspection clean_string(std::string_view inside) {
  StringInspection result;
  std::size_t plain = 0;  // begin of the run that goes through unchanged or only escaped
  const auto flush = [&](std::size_t end) {
    const std::string_view run = inside.substr(plain, end - plain);
    const std::size_t begin = result.text.size();
    append_json_characters(result.text, run);
    if (run.find('"') != std::string_view::npos) result.quote = true;
    if (std::any_of(run.begin(), run.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
      result.control = true;
    const bool had = run.find("\xEF\xBF\xBD") != std::string_view::npos;
    if (!had && result.text.find("\xEF\xBF\xBD", begin) != std::string::npos) result.bytes = true;
  };
  for (std::size_t at = 0; at < inside.size();) {
    if (inside[at] != '\\') {
      ++at;
      continue;
    }
    flush(at);
    const std::size_t length = append_escape(result.text, inside, at + 1);
    if (length == 0) {
      result.escape = true;
      result.text += "\\\\";
    }
    at += 1 + length;
    plain = at;
  }
  flush(inside.size());
  return result;
}

}  // namespace paceline
