// Finds where one JSON value ends, byte by byte, and loses the thread as little as possible in broken text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paceline {

// A quote ends a string only if the next character after white space is one of , : } ] since nothing else can
// follow a string in JSON. So text with unescaped quotes inside keeps its extent, and in correct text nothing
// changes.
class RecordLexer {
 public:
  enum class Step {
    more,    // the value goes on
    ended,   // this character was the last of the value
    before,  // the value ended before this character, which is not part of it
  };

  void reset();
  // `unclosed` and `brackets` tell afterwards what was out of order.
  Step push(char c);
  // Takes the characters at the front that decide nothing (text in a string, digits, spaces) in one go and
  // returns how many they were. Only speed depends on it: push would take them too.
  std::size_t skip(std::string_view bytes);
  [[nodiscard]] bool unclosed() const { return unclosed_; }
  [[nodiscard]] bool bad_brackets() const { return bad_brackets_; }

 private:
  enum class State { outside, string, escape, maybe_ended };

  Step structural(char c);
  Step open(char c);
  Step close(char c);
  [[nodiscard]] bool in_object() const { return beyond_ == 0 && !open_.empty() && open_.back() == '{'; }

  State state_ = State::outside;
  std::string open_;        // kinds of the open brackets, outermost first
  std::size_t beyond_ = 0;  // brackets open beyond the depth to which kinds are kept
  char last_ = 0;           // last structural character
  bool unclosed_ = false;
  bool bad_brackets_ = false;
};

}  // namespace paceline
