// Walks through a Chrome JSON file once and hands out its records and its other members, each as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/kineto/import_report.h"
#include "traces/kineto/record_lexer.h"

namespace paceline {

class EventScanner {
 public:
  class Handler {
   public:
    Handler() = default;
    Handler(const Handler&) = delete;
    Handler& operator=(const Handler&) = delete;
    virtual ~Handler() = default;
    // The text may be changed, and grown for padding; it is reused for the next record.
    virtual void on_record(std::string& text, std::uint64_t offset) = 0;
    // A member of the outer object other than traceEvents: its key, before its value is read, and then both.
    virtual void on_key(const std::string& key, std::uint64_t offset) = 0;
    virtual void on_member(const std::string& key, std::string& value, std::uint64_t offset) = 0;
    // The first character is neither { nor [. Expected to throw.
    virtual void on_foreign(std::string_view start, std::uint64_t offset) = 0;
  };

  EventScanner(Handler& handler, FindingLog& findings) : handler_(handler), findings_(findings) {}
  void feed(std::string_view bytes);
  // Call at the end of the input.
  void finish();

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] bool is_array() const { return is_array_; }
  [[nodiscard]] bool found_events() const { return found_events_; }
  [[nodiscard]] bool started() const { return state_ != State::before; }
  [[nodiscard]] bool complete() const { return state_ == State::after; }

 private:
  enum class State { before, root, key, after_key, before_value, value, events, record, after };

  void step(char c);
  void before(char c);
  void root(char c);
  void key(char c);
  void before_value(char c);
  void value(char c);
  void events(char c);
  void record(char c);
  void begin_capture(State state, char c);
  void keep(char c);
  void end_record();
  std::size_t keep_run(std::string_view bytes);

  Handler& handler_;
  FindingLog& findings_;
  RecordLexer lexer_;
  State state_ = State::before;
  std::string capture_;
  std::string key_;
  std::uint64_t offset_ = 0;
  std::uint64_t start_ = 0;  // of the capture or the key
  std::uint64_t records_ = 0;
  bool oversized_ = false;
  bool escaped_ = false;
  bool is_array_ = false;
  bool found_events_ = false;
  bool after_comma_ = true;  // whether a record may begin
};

}  // namespace paceline
