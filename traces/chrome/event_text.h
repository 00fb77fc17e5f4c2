// The text of one Chrome JSON event after another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/chrome/json_output.h"
#include "traces/timeline.h"

namespace paceline {

// Keys are given with what surrounds them: `, "name": `.
class EventText {
 public:
  explicit EventText(std::string& out) : out_(out) {}

  void begin(std::string_view phase) {
    out_ += first_ ? "\n    {\"ph\": \"" : ",\n    {\"ph\": \"";
    out_ += phase;
    out_ += '"';
    first_ = false;
  }
  void text(std::string_view key, std::string_view value) {
    out_ += key;
    append_json_string(out_, value);
  }
  void integer(std::string_view key, std::int64_t value) {
    out_ += key;
    append_integer(out_, value);
  }
  void row(std::int64_t process, std::int64_t thread) {
    integer(", \"pid\": ", process);
    integer(", \"tid\": ", thread);
  }
  void time(std::string_view key, Nanoseconds value) {
    out_ += key;
    append_microseconds(out_, value);
  }
  void begin_metadata(std::string_view name, std::int64_t process, std::int64_t thread) {
    begin("M");
    text(", \"name\": ", name);
    row(process, thread);
    out_ += ", \"args\": {";
  }
  // Ends the arguments and the event.
  void end_arguments() { out_ += "}}"; }

 protected:
  std::string& out_;

 private:
  bool first_ = true;
};

}  // namespace paceline
