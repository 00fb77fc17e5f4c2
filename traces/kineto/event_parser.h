// Takes the text of a record apart, with simdjson.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "traces/kineto/event_record.h"
#include "traces/kineto/import_report.h"

namespace paceline {

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
