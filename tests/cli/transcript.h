// A golden file: a command line, and what it must print, return and leave behind.
//
//   # what the case shows
//   % numbers as #          numbers are replaced by #, and spaces in a row by one: for what measurements
//   decide % spaces as one         for tables, whose widths depend on rows that are not shown % first 3 lines
//   of standard output; the rest is another test's % CLI11 2.3             only with this version of the
//   library that words the text $ paceline predict scenario.json
//   --- exit code
//   ...
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/cli/command.h"

namespace paceline {

struct Transcript {
  std::vector<std::string> head;  // comments and settings, as they stand in the file
  std::string line;
  bool mask_numbers = false, single_spaces = false;
  int first_lines = 0;  // 0: all
  std::string library_version;
  std::string expected;  // everything after the command line
};

[[nodiscard]] Transcript parse_transcript(const std::string& text);
// Head, command line, and what came of it.
[[nodiscard]] std::string to_text(const Transcript& transcript, const std::string& outcome);
// What stands in the file after the command line, for this result.
[[nodiscard]] std::string outcome_of(const Transcript& transcript, const CommandResult& result,
                                     const std::set<std::string>& new_files);

}  // namespace paceline
