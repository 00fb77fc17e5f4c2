// Makes JSON of text that is almost JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/kineto/import_report.h"

namespace paceline {

struct RepairedJson {
  std::string text;
  std::vector<Finding> findings;  // what was wrong, each kind once
};

// `text` is one object as RecordLexer found it. Unescaped quotes and control characters, invalid escapes and
// bytes, bare words, malformed numbers, commas and brackets too many or missing are put right, or rather into
// what the writer most probably meant. The result may still not be JSON: who needs certainty must parse it.
[[nodiscard]] RepairedJson repair_json(std::string_view text);

}  // namespace paceline
