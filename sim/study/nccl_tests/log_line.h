// A line of a log without what launchers and terminals put around it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::nccl_tests {

struct LogLine {
  std::string
      stream;  // which process or host wrote it, as the launcher marks it: "1,0", "0", "node1"; or empty
  std::string text;  // without ANSI escapes, marks and time stamps
};

// Removes "[1,0]<stdout>:", "0: ", "node1: ", "[rank0]: ", time stamps and escapes. Longer lines are cut at
// 16 KiB.
[[nodiscard]] LogLine clean_line(std::string_view line);

// The words between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

// The whole word as a number; nothing for others, infinities and NaN.
[[nodiscard]] std::optional<double> number_of(std::string_view word);
[[nodiscard]] std::optional<long long> integer_of(std::string_view word);

// The word that follows `key` and blanks, "=" or ":"; empty when the key is not there.
[[nodiscard]] std::string_view word_after(std::string_view text, std::string_view key);

}  // namespace paceline::nccl_tests
