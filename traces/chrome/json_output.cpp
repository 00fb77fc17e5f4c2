#include "traces/chrome/json_output.h"

#include <array>
#include <charconv>
#include <cmath>

namespace paceline {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

bool continues(std::string_view text, std::size_t at) { return (byte_at(text, at) & 0xC0U) == 0x80U; }

// Length of the UTF-8 sequence of two to four bytes that starts here, 0 if it is none (RFC 3629, table 3-7 of
// Unicode).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  const unsigned second = byte_at(text, at + 1);
  if (!continues(text, at + 1)) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (!continues(text, at + 2)) return 0;
  const bool overlong_or_surrogate = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F);
  if (first >= 0xE0 && first <= 0xEF) return overlong_or_surrogate ? 0 : 3;
  if (!continues(text, at + 3)) return 0;
  const bool out_of_range = (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return first >= 0xF0 && first <= 0xF4 && !out_of_range ? 4 : 0;
}

void append_control(std::string& out, unsigned character) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (character) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += digits[character >> 4U];
      out += digits[character & 15U];
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

}  // namespace

void append_json_characters(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const unsigned byte = byte_at(text, at);
    if (byte >= 0x80) {
      const std::size_t length = sequence_length(text, at);
      out += length == 0 ? replacement_character : text.substr(at, length);
      at += length == 0 ? 1 : length;
      continue;
    }
    if (byte < 0x20) {
      append_control(out, byte);
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += text[at];
    }
    ++at;
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  append_json_characters(out, text);
  out += '"';
}

void append_integer(std::string& out, std::int64_t value) { append_number(out, value); }

void append_unsigned(std::string& out, std::uint64_t value) { append_number(out, value); }

void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    return;
  }
  const std::size_t begin = out.size();
  append_number(out, value);
  if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
}

void append_microseconds(std::string& out, Nanoseconds time) {
  // Through unsigned: the smallest integer has no positive counterpart.
  const std::uint64_t magnitude =
      time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (time < 0) out += '-';
  append_unsigned(out, magnitude / 1000);
  const std::uint64_t rest = magnitude % 1000;
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

}  // namespace paceline
