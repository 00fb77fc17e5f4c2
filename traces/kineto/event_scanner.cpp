#include "traces/kineto/event_scanner.h"

namespace paceline {
namespace {

// Far above any real record; bounds the memory that a broken file can take.
constexpr std::size_t largest_record = std::size_t{64} << 20U;
constexpr std::size_t longest_key = 4096;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

void EventScanner::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (state_ == State::record || state_ == State::value) {
      bytes.remove_prefix(keep_run(bytes));
      if (bytes.empty()) return;
    }
    step(bytes.front());
    ++offset_;
    bytes.remove_prefix(1);
  }
}

// Copies characters that decide nothing in one go: most of a trace is made of them.
std::size_t EventScanner::keep_run(std::string_view bytes) {
  const std::size_t count = lexer_.skip(bytes);
  if (capture_.size() + count > largest_record) oversized_ = true;
  if (!oversized_) capture_.append(bytes.data(), count);
  offset_ += count;
  return count;
}

void EventScanner::step(char c) {
  switch (state_) {
    case State::before:
      return before(c);
    case State::root:
      return root(c);
    case State::key:
      return key(c);
    case State::after_key:
      if (c == ':') state_ = State::before_value;
      return;
    case State::before_value:
      return before_value(c);
    case State::value:
      return value(c);
    case State::events:
      return events(c);
    case State::record:
      return record(c);
    case State::after:
      if (!is_space(c) && findings_.count(Finding::after_end) == 0)
        findings_.add(Finding::after_end, offset_);
      return;
  }
}

void EventScanner::before(char c) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (capture_.empty() && is_space(c)) return;
  if (offset_ < byte_order_mark.size() && c == byte_order_mark[offset_]) {
    if (offset_ == 2) findings_.add(Finding::byte_order_mark, 0);
    return;
  }
  if (c == '{') {
    state_ = State::root;
  } else if (c == '[') {
    is_array_ = found_events_ = true;
    state_ = State::events;
  } else {
    capture_ += c;
    if (capture_.size() == 16) handler_.on_foreign(capture_, offset_ - 15);
  }
}

void EventScanner::root(char c) {
  if (c == '"') {
    key_.clear();
    start_ = offset_;
    state_ = State::key;
  } else if (c == '}') {
    state_ = State::after;
  }
}

void EventScanner::key(char c) {
  if (c == '"' && !escaped_) {
    state_ = State::after_key;
    if (key_ != "traceEvents") handler_.on_key(key_, start_);
    return;
  }
  escaped_ = c == '\\' && !escaped_;
  if (key_.size() < longest_key) key_ += c;
}

void EventScanner::before_value(char c) {
  if (is_space(c)) return;
  if (c == '[' && key_ == "traceEvents") {
    found_events_ = true;
    after_comma_ = true;
    state_ = State::events;
    return;
  }
  begin_capture(State::value, c);
}

void EventScanner::value(char c) {
  const RecordLexer::Step step = lexer_.push(c);
  if (step != RecordLexer::Step::before) keep(c);
  if (step == RecordLexer::Step::more) return;
  state_ = State::root;
  if (oversized_) {
    findings_.add(Finding::oversized_record, start_);
  } else {
    handler_.on_member(key_, capture_, start_);
  }
  if (step == RecordLexer::Step::before) root(c);
}

void EventScanner::events(char c) {
  if (is_space(c)) return;
  if (c == ',') {
    if (after_comma_) findings_.add(Finding::misplaced_comma, offset_);
    after_comma_ = true;
  } else if (c == ']') {
    if (after_comma_ && records_ > 0) findings_.add(Finding::misplaced_comma, offset_);
    state_ = is_array_ ? State::after : State::root;
  } else if (c == '}') {
    findings_.add(Finding::misplaced_bracket, offset_);
  } else {
    if (!after_comma_) findings_.add(Finding::misplaced_comma, offset_);
    after_comma_ = false;
    begin_capture(State::record, c);
  }
}

void EventScanner::record(char c) {
  const RecordLexer::Step step = lexer_.push(c);
  if (step != RecordLexer::Step::before) keep(c);
  if (step == RecordLexer::Step::more) return;
  end_record();
  if (step == RecordLexer::Step::before) {
    after_comma_ = c == '{';
    events(c);
  }
}

void EventScanner::begin_capture(State state, char c) {
  state_ = state;
  start_ = offset_;
  capture_.clear();
  oversized_ = false;
  lexer_.reset();
  // A value that is missing altogether ("key": ,) ends at once.
  if (lexer_.push(c) == RecordLexer::Step::before) {
    state_ = State::root;
    return root(c);
  }
  keep(c);
}

void EventScanner::keep(char c) {
  if (capture_.size() >= largest_record) oversized_ = true;
  if (!oversized_) capture_ += c;
}

void EventScanner::end_record() {
  state_ = State::events;
  if (capture_.empty() || capture_.front() != '{') return findings_.add(Finding::not_a_record, start_);
  ++records_;
  if (lexer_.unclosed()) findings_.add(Finding::unclosed_record, start_);
  if (lexer_.bad_brackets()) findings_.add(Finding::misplaced_bracket, start_);
  if (oversized_) return findings_.add(Finding::oversized_record, start_);
  handler_.on_record(capture_, start_);
}

void EventScanner::finish() {
  if (state_ == State::before && !capture_.empty()) handler_.on_foreign(capture_, offset_ - capture_.size());
  if (state_ == State::after || state_ == State::before) return;
  findings_.add(Finding::cut, state_ == State::record || state_ == State::value ? start_ : offset_);
}

}  // namespace paceline
