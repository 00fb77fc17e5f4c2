#include "base/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"

namespace paceline {
namespace {

using nlohmann::json;

// Follows the parser to know where it is, and stops it where the library would go on in silence.
class Guard {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  bool operator()(json::parse_event_t event, const json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        enter(event == json::parse_event_t::array_start);
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        levels_.pop_back();
        leave_value();
        break;
      case json::parse_event_t::value:
        leave_value();
        break;
      case json::parse_event_t::key:
        name(parsed.get_ref<const std::string&>());
        break;
    }
    return true;
  }

  // Of the value that is being read.
  [[nodiscard]] std::string where() const {
    std::string pointer;
    for (const Level& level : levels_)
      pointer += '/' + (level.is_array ? std::to_string(level.index) : pointer_token(level.name));
    constexpr std::size_t most = 120;
    if (pointer.size() > most) pointer = pointer.substr(0, most) + "...";
    return fmt::format("{}: {}", file_, pointer.empty() ? "/" : pointer);
  }

 private:
  struct Level {
    bool is_array;
    std::size_t index = 0;
    std::string name{};
    std::set<std::string> names{};
  };

  void enter(bool is_array) {
    if (levels_.size() == most_json_levels) {
      throw InputError(where(), fmt::format("brackets nested more than {} deep", most_json_levels),
                       "less nesting", "check the file: none of Paceline's is that deep");
    }
    levels_.push_back({is_array});
  }

  void leave_value() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().index;
  }

  void name(const std::string& text) {
    levels_.back().name = text;
    if (levels_.back().names.insert(text).second) return;
    throw InputError(where(), "the name a second time", "every name once in an object",
                     "remove one of the two: only one could count");
  }

  const std::string& file_;
  std::vector<Level> levels_;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.' || c == '_';
}

// Start of the word that ends at or just before the place, if there is one.
std::size_t word_start(std::string_view text, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && is_word(text[first - 1])) --first;
  return first;
}

// What stands at the place of a syntax error: a word, a sign, or the end.
std::string found_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the end of the file";
  std::size_t last = at;
  while (last < text.size() && is_word(text[last])) ++last;
  if (last > at) return std::string(text.substr(at, std::min<std::size_t>(last - at, 40)));
  return text[at] == '"' ? "a string" : fmt::format("'{}'", text[at]);
}

[[noreturn]] void fail_at(std::string_view text, const std::string& file, const json::parse_error& error) {
  // "... syntax error while parsing object - unexpected '}'; expected string literal"
  const std::string_view message = error.what();
  const auto after = [&](std::string_view mark) {
    const std::size_t place = message.find(mark);
    return place == std::string_view::npos ? std::string_view() : message.substr(place + mark.size());
  };
  const std::string_view reason = after(" - ");
  std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
  // A wrong word is known as such only at its end.
  if (reason.starts_with("invalid literal") || (at < text.size() && is_word(text[at])))
    at = word_start(text, at);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line_start = text.substr(0, at).rfind('\n');
  const std::size_t column = at - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1;
  std::string found = found_at(text, at);
  std::string expected(after("; expected "));
  if (reason.starts_with("invalid string")) {
    found = reason.substr(0, reason.find(';'));
    expected = "a JSON string";
  }
  throw InputError(fmt::format("{}:{}:{}", file, line, column), found, expected.empty() ? "JSON" : expected,
                   "check the brackets, quotes and commas just before this place");
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  Guard guard(file);
  try {
    return json::parse(
        text, [&guard](int, json::parse_event_t event, const json& parsed) { return guard(event, parsed); });
  } catch (const json::parse_error& error) {
    fail_at(text, file, error);
  } catch (const json::out_of_range& error) {
    // "... parsing '1e999'"
    const std::string_view message = error.what();
    const std::size_t quote = std::min(message.find('\''), message.size());
    throw InputError(guard.where(), fmt::format("the number {}", message.substr(quote)),
                     "numbers below 1.8e308", "");
  }
}

std::string pointer_token(std::string_view name) {
  std::string token;
  for (const char c : name) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

}  // namespace paceline
