#include "traces/kineto/record_lexer.h"

#include <algorithm>
#include <array>

namespace paceline {
namespace {

constexpr std::size_t deepest = 4096;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr std::array<bool, 256> table_of(std::string_view letters) {
  std::array<bool, 256> table{};
  for (char c : letters) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> decides_in_string = table_of("\"\\");
constexpr std::array<bool, 256> decides_outside = table_of("\"{}[],");

std::size_t run_length(std::string_view bytes, const std::array<bool, 256>& decides) {
  std::size_t count = 0;
  while (count < bytes.size() && !decides[static_cast<unsigned char>(bytes[count])]) ++count;
  return count;
}

}  // namespace

void RecordLexer::reset() {
  state_ = State::outside;
  open_.clear();
  beyond_ = 0;
  last_ = 0;
  unclosed_ = false;
  bad_brackets_ = false;
}

std::size_t RecordLexer::skip(std::string_view bytes) {
  if (state_ == State::string) return run_length(bytes, decides_in_string);
  if (state_ != State::outside) return 0;
  const std::size_t count = run_length(bytes, decides_outside);
  const std::string_view run = bytes.substr(0, count);
  const auto last = std::find_if_not(run.rbegin(), run.rend(), is_space);
  if (last != run.rend()) last_ = *last;
  return count;
}

RecordLexer::Step RecordLexer::push(char c) {
  switch (state_) {
    case State::string:
      if (c == '"') state_ = State::maybe_ended;
      if (c == '\\') state_ = State::escape;
      return Step::more;
    case State::escape:
      state_ = State::string;
      return Step::more;
    case State::maybe_ended:
      if (is_space(c)) return Step::more;
      if (c == ',' || c == ':' || c == '}' || c == ']') {
        state_ = State::outside;
        return structural(c);
      }
      state_ = State::string;
      return push(c);
    case State::outside:
      return structural(c);
  }
  return Step::more;
}

RecordLexer::Step RecordLexer::structural(char c) {
  if (is_space(c)) return Step::more;
  switch (c) {
    case '"':
      state_ = State::string;
      break;
    case '{':
    case '[':
      return open(c);
    case '}':
    case ']':
      return close(c);
    case ',':
      if (open_.empty()) return Step::before;
      break;
    default:
      break;
  }
  last_ = c;
  return Step::more;
}

RecordLexer::Step RecordLexer::open(char c) {
  // An object cannot stand where a key must: the record before it was never closed.
  if (c == '{' && last_ == ',' && in_object()) {
    unclosed_ = true;
    return Step::before;
  }
  last_ = c;
  if (open_.size() < deepest) {
    open_ += c;
  } else {
    ++beyond_;
  }
  return Step::more;
}

RecordLexer::Step RecordLexer::close(char c) {
  if (open_.empty()) return Step::before;
  last_ = c;
  if (beyond_ > 0) {
    --beyond_;
    return Step::more;
  }
  const std::size_t match = open_.rfind(c == '}' ? '{' : '[');
  bad_brackets_ = bad_brackets_ || match + 1 != open_.size();
  if (match == std::string::npos) return Step::more;
  open_.resize(match);
  return open_.empty() ? Step::ended : Step::more;
}

}  // namespace paceline
