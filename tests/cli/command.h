// Runs the built `paceline` as a user does: a command line in a folder.
#pragma once

#include <string>

namespace paceline {

struct CommandResult {
  int exit_code = -1;  // -1: did not end by itself
  std::string out, err;
};

// `line` goes to the shell, which finds the built `paceline` first; `folder` is where it runs.
[[nodiscard]] CommandResult run_command(const std::string& line, const std::string& folder);

}  // namespace paceline
