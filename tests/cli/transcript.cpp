#include "tests/cli/transcript.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace paceline {
namespace {

// Numbers inside names, such as dgx-1v and resnet50, are part of the name; 0-7 is a range of ranks.
std::string with_numbers_masked(const std::string& text) {
  static const std::regex number(
      R"((^|[^A-Za-z0-9_.-])-?[0-9]+(\.[0-9]+)*(e[+-]?[0-9]+|-[0-9]+)?(?![A-Za-z0-9_]))");
  return std::regex_replace(text, number, "$1#");
}

std::string with_single_spaces(const std::string& text) {
  return std::regex_replace(text, std::regex(" +"), " ");
}

std::string first_lines(const std::string& text, int count) {
  std::size_t end = 0;
  for (int line = 0; line < count && end < text.size(); ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

void read_setting(const std::string& text, Transcript& transcript) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  if (word == "numbers") transcript.mask_numbers = true;
  if (word == "spaces") transcript.single_spaces = true;
  if (word == "first") words >> transcript.first_lines;
  if (word == "CLI11") words >> transcript.library_version;
}

}  // namespace

Transcript parse_transcript(const std::string& text) {
  Transcript transcript;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("$ ")) {
    transcript.head.push_back(line);
    if (line.starts_with("% ")) read_setting(line.substr(2), transcript);
  }
  if (line.starts_with("$ ")) transcript.line = line.substr(2);
  std::ostringstream rest;
  rest << lines.rdbuf();
  transcript.expected = rest.str();
  return transcript;
}

std::string to_text(const Transcript& transcript, const std::string& outcome) {
  return fmt::format("{}\n$ {}\n{}", fmt::join(transcript.head, "\n"), transcript.line, outcome);
}

std::string outcome_of(const Transcript& transcript, const CommandResult& result,
                       const std::set<std::string>& new_files) {
  std::string out = transcript.first_lines > 0 ? first_lines(result.out, transcript.first_lines) : result.out;
  if (transcript.mask_numbers) out = with_numbers_masked(out);
  if (transcript.mask_numbers || transcript.single_spaces) out = with_single_spaces(out);
  std::string text =
      fmt::format("--- exit code\n{}\n--- standard output\n{}--- standard error\n{}--- new files\n",
                  result.exit_code, out, result.err);
  for (const std::string& file : new_files) text += file + "\n";
  return text;
}

}  // namespace paceline
