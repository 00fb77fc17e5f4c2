// One record of traceEvents, taken apart.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "traces/kineto/import_report.h"

namespace paceline {

// A process, thread or flow id: traces use numbers and words.
struct RecordId {
  bool present = false;
  bool is_text = false;
  std::int64_t number = 0;  // unsigned ones above 2^63 wrap
  std::string_view text;
};

struct RecordArgument {
  std::string_view key;
  std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view> value;
  bool raw_json =
      false;  // the text is a JSON value: an array, an object, null, an integer of more than 64 bits
};

// The views are valid until the next record is parsed.
struct EventRecord {
  std::string_view phase, name, category, family, time, duration;
  bool has_name = false;
  RecordId process, thread, id;
  std::vector<RecordArgument> arguments;

  [[nodiscard]] const RecordArgument* find(std::string_view key) const;
  [[nodiscard]] std::string_view text(std::string_view key) const;  // empty if there is none
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t otherwise) const;
};

class EventParser {
 public:
  EventParser();
  ~EventParser();
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;

  // Null if the text cannot be made sense of, even repaired. Grows the text's capacity for padding.
  const EventRecord* parse(std::string& text, std::uint64_t offset, FindingLog& findings);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline
