// Every file in golden/ is a case. PACELINE_UPDATE_GOLDEN=1 writes what the program does now into them: read
// the difference before it is committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "tests/base/scratch_folder.h"
#include "tests/cli/transcript.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;

const std::string cli_folder = std::string(PACELINE_SOURCE_DIR) + "/tests/cli";

std::vector<std::string> golden_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(cli_folder + "/golden")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> files_below(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files.insert(fs::relative(entry.path(), folder).string() + (entry.is_directory() ? "/" : ""));
  return files;
}

// What holds for every refusal, whatever it says.
void expect_one_line(const CommandResult& result, const std::set<std::string>& new_files) {
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("paceline: ")) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(new_files.empty()) << *new_files.begin() << " was written";
}

class Golden : public ScratchFolder, public ::testing::WithParamInterface<std::string> {};

TEST_P(Golden, PrintsReturnsAndWritesWhatTheFileSays) {
  const Transcript transcript = parse_transcript(read_file(GetParam()));
  ASSERT_NE(transcript.line, "") << "no line \"$ command\"";
  if (!transcript.library_version.empty() && transcript.library_version != PACELINE_CLI11)
    GTEST_SKIP() << "worded for CLI11 " << transcript.library_version << ", found " << PACELINE_CLI11;
  fs::copy(cli_folder + "/inputs", folder_, fs::copy_options::recursive);
  const std::set<std::string> before = files_below(folder_);
  const CommandResult result = run_command(transcript.line, folder_);
  std::set<std::string> after = files_below(folder_);
  for (const std::string& file : before) EXPECT_EQ(after.erase(file), 1U) << file << " is gone";
  if (result.exit_code == static_cast<int>(ExitCode::bad_input)) expect_one_line(result, after);
  const std::string outcome = outcome_of(transcript, result, after);
  if (std::getenv("PACELINE_UPDATE_GOLDEN") != nullptr) {
    write_file(GetParam(), to_text(transcript, outcome));
    return;
  }
  EXPECT_EQ(outcome, transcript.expected) << transcript.line;
}

std::string case_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(golden_files()), case_of);

}  // namespace
}  // namespace paceline
