#include "traces/kineto/event_record.h"

namespace paceline {

const RecordArgument* EventRecord::find(std::string_view key) const {
  for (const RecordArgument& argument : arguments)
    if (argument.key == key) return &argument;
  return nullptr;
}

std::string_view EventRecord::text(std::string_view key) const {
  const RecordArgument* argument = find(key);
  const auto* text = argument == nullptr ? nullptr : std::get_if<std::string_view>(&argument->value);
  return text == nullptr ? std::string_view() : *text;
}

std::int64_t EventRecord::integer(std::string_view key, std::int64_t otherwise) const {
  const RecordArgument* argument = find(key);
  const auto* number = argument == nullptr ? nullptr : std::get_if<std::int64_t>(&argument->value);
  return number == nullptr ? otherwise : *number;
}

}  // namespace paceline
