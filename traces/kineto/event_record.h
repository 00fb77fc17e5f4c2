// One record of traceEvents, taken apart.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

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

}  // namespace paceline
