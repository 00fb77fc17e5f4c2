#include "tests/cli/command.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"

namespace paceline {
namespace fs = std::filesystem;

CommandResult run_command(const std::string& line, const std::string& folder) {
  std::string pattern = (fs::temp_directory_path() / "paceline-out-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return {};
  const std::string tool_folder = fs::path(PACELINE_TOOL).parent_path().string();
  const std::string shell =
      fmt::format("unset PACELINE_DATA; PATH='{}':\"$PATH\"; cd '{}' && ({}) >'{}/out' 2>'{}/err' </dev/null",
                  tool_folder, folder, line, pattern, pattern);
  const int status = std::system(shell.c_str());
  CommandResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.out = read_file(pattern + "/out");
  result.err = read_file(pattern + "/err");
  fs::remove_all(pattern);
  return result;
}

}  // namespace paceline
