#include "traces/kineto/event_parser.h"

#include <simdjson.h>

#include <charconv>
#include <optional>

#include "traces/kineto/json_repair.h"
#include "traces/kineto/json_token.h"

namespace paceline {
namespace {

namespace ondemand = simdjson::ondemand;

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_json_space(token.back())) token.remove_suffix(1);
  return token;
}

RecordId id_of(std::string_view token) {
  std::int64_t number = 0;
  const char* end = token.data() + token.size();
  if (std::from_chars(token.data(), end, number).ptr == end && !token.empty())
    return {true, false, number, {}};
  std::uint64_t large = 0;
  if (std::from_chars(token.data(), end, large).ptr == end && !token.empty())
    return {true, false, static_cast<std::int64_t>(large), {}};
  return {true, true, 0, token};
}

}  // namespace

// simdjson's on-demand interface: it gives the text of numbers, which times need, and reads each record in
// one pass.
class EventParser::Impl {
 public:
  const EventRecord* parse(std::string& text, std::uint64_t offset, FindingLog& findings) {
    if (read(text)) return note(offset, findings);
    RepairedJson repaired = repair_json(text);
    text.swap(repaired.text);
    if (!read(text)) {
      findings.add(Finding::unreadable_record, offset);
      return nullptr;
    }
    for (Finding finding : repaired.findings) findings.add(finding, offset);
    return note(offset, findings);
  }

 private:
  const EventRecord* note(std::uint64_t offset, FindingLog& findings) {
    if (duplicate_) findings.add(Finding::duplicate_key, offset);
    if (text_time_) findings.add(Finding::text_time, offset);
    return &record_;
  }

  bool read(std::string& text) {
    std::vector<RecordArgument> arguments = std::move(record_.arguments);
    arguments.clear();
    record_ = EventRecord();
    record_.arguments = std::move(arguments);
    duplicate_ = text_time_ = false;
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    if (parser_.iterate(text.data(), text.size(), text.capacity()).get(document) != simdjson::SUCCESS)
      return false;
    ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return false;
    for (auto entry : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(entry).get(field) != simdjson::SUCCESS ||
          field.unescaped_key().get(key) != simdjson::SUCCESS)
        return false;
      if (!member(key, field.value())) return false;
    }
    return true;
  }

  bool member(std::string_view key, ondemand::value value) {
    if (key == "ph") return text(value, record_.phase);
    if (key == "name") {
      duplicate_ = duplicate_ || record_.has_name;
      record_.has_name = true;
      return text(value, record_.name);
    }
    if (key == "cat") return text(value, record_.category);
    if (key == "family") return text(value, record_.family);
    if (key == "ts") return time(value, record_.time);
    if (key == "dur") return time(value, record_.duration);
    if (key == "pid") return id(value, record_.process);
    if (key == "tid") return id(value, record_.thread);
    if (key == "id") return id(value, record_.id);
    if (key == "args") return arguments(value);
    return checked_raw(value).has_value();
  }

  // Strings are unescaped; the text of anything else is taken as it is.
  bool text(ondemand::value value, std::string_view& to) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == ondemand::json_type::string) return value.get_string().get(to) == simdjson::SUCCESS;
    const auto raw = checked_raw(value);
    if (raw) to = *raw;
    return raw.has_value();
  }

  bool time(ondemand::value value, std::string_view& to) {
    duplicate_ = duplicate_ || !to.empty();
    text_time_ = text_time_ || value.raw_json_token().starts_with('"');
    return text(value, to);
  }

  bool id(ondemand::value value, RecordId& to) {
    std::string_view token;
    if (!text(value, token)) return false;
    to = id_of(token);  // "7" and 7 are the same row
    return true;
  }

  bool arguments(ondemand::value value) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return checked_raw(value).has_value();
    record_.arguments.clear();
    for (auto entry : object) {
      ondemand::field field;
      RecordArgument argument;
      if (std::move(entry).get(field) != simdjson::SUCCESS ||
          field.unescaped_key().get(argument.key) != simdjson::SUCCESS)
        return false;
      if (!argument_value(field.value(), argument)) return false;
      record_.arguments.push_back(argument);
    }
    return true;
  }

  bool argument_value(ondemand::value value, RecordArgument& argument) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == ondemand::json_type::number) return number(trimmed(value.raw_json_token()), argument);
    if (type == ondemand::json_type::boolean) {
      bool truth = false;
      if (value.get_bool().get(truth) != simdjson::SUCCESS) return false;
      argument.value = truth;
      return true;
    }
    std::string_view text;
    if (type == ondemand::json_type::string) {
      if (value.get_string().get(text) != simdjson::SUCCESS) return false;
      argument.value = text;
      return true;
    }
    const auto raw = checked_raw(value);
    if (!raw) return false;
    argument.value = *raw;
    argument.raw_json = true;
    return true;
  }

  static bool number(std::string_view token, RecordArgument& argument) {
    if (!is_json_number(token)) return false;
    const char* end = token.data() + token.size();
    const bool is_real = token.find_first_of(".eE") != std::string_view::npos;
    std::int64_t integer = 0;
    std::uint64_t large = 0;
    double real = 0;
    if (is_real && std::from_chars(token.data(), end, real).ec == std::errc()) {
      argument.value = real;
    } else if (!is_real && std::from_chars(token.data(), end, integer).ec == std::errc()) {
      argument.value = integer;
    } else if (!is_real && token.front() != '-' &&
               std::from_chars(token.data(), end, large).ec == std::errc()) {
      argument.value = large;
    } else {
      argument.value = token;  // fits no number of ours
      argument.raw_json = true;
    }
    return true;
  }

  // On-demand passes over values without looking: what is kept as text must be JSON for sure.
  std::optional<std::string_view> checked_raw(ondemand::value value) {
    const std::string_view token = trimmed(value.raw_json_token());
    std::string_view raw;
    if (token.starts_with('"')) {
      if (value.get_string().get(raw) != simdjson::SUCCESS) return std::nullopt;
      return token;
    }
    if (token.starts_with('[')) {
      if (raw_of(value.get_array()).get(raw) != simdjson::SUCCESS) return std::nullopt;
    } else if (token.starts_with('{')) {
      if (raw_of(value.get_object()).get(raw) != simdjson::SUCCESS) return std::nullopt;
    } else {
      const bool valid = is_json_number(token) || token == "true" || token == "false" || token == "null";
      return valid ? std::optional(token) : std::nullopt;
    }
    raw = trimmed(raw);
    // The padding after the record is padding for each part of it.
    if (dom_.parse(raw.data(), raw.size(), false).error() != simdjson::SUCCESS) return std::nullopt;
    return raw;
  }

  template <class Container>
  static simdjson::simdjson_result<std::string_view> raw_of(simdjson::simdjson_result<Container> result) {
    Container container;
    const simdjson::error_code error = std::move(result).get(container);
    return error == simdjson::SUCCESS ? container.raw_json() : error;
  }

  ondemand::parser parser_;
  simdjson::dom::parser dom_;
  EventRecord record_;
  bool duplicate_ = false;
  bool text_time_ = false;
};

EventParser::EventParser() : impl_(std::make_unique<Impl>()) {}
EventParser::~EventParser() = default;

const EventRecord* EventParser::parse(std::string& text, std::uint64_t offset, FindingLog& findings) {
  return impl_->parse(text, offset, findings);
}

}  // namespace paceline
