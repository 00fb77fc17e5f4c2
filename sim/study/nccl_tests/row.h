// One row of a table of nccl-tests, whatever columns its generation prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline::nccl_tests {

struct ParsedRow {
  NcclTestsRow row;
  std::string data_type, reduction;
};

// Rows of all generations are: size, count, type, then perhaps an operation and a root, then one or two
// groups of time, algbw, busbw and, if values were checked, what was wrong. Which are there follows from the
// number and kind of the words, so that the header line is not needed.
[[nodiscard]] std::optional<ParsedRow> parse_row(const std::vector<std::string_view>& words);

// The words before the first group: a row that was cut off by another process's line begins like this.
[[nodiscard]] bool is_row_start(const std::vector<std::string_view>& words);

// A row of a Markdown table "| 32KB | 1.20GBps | 0.69GBps |" (payload, busbw, algbw), as the usual all-reduce
// benchmark in PyTorch prints it; the time is payload over algbw.
[[nodiscard]] std::optional<NcclTestsRow> parse_markdown_row(std::string_view line);

}  // namespace paceline::nccl_tests
