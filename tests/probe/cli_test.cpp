// paceline-probe as a user meets it: output, messages, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/json_reader.h"
#include "base/profile.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ProbeCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "paceline-probe-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Returns the exit code; keeps what was printed.
  int run(const std::string& arguments) {
    const std::string errors = path("errors");
    const std::string command = std::string("'") + PACELINE_PROBE + "' " + arguments + " 2>'" + errors + "'";
    FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) return -1;
    out_.clear();
    std::array<char, 4096> part{};
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe))
      out_.append(part.data(), read);
    const int status = ::pclose(pipe);
    err_ = read_file(errors);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  void expect_one_line(const std::string& part) const {
    EXPECT_THAT(err_, StartsWith("paceline-probe: "));
    EXPECT_THAT(err_, HasSubstr(part));
    EXPECT_EQ(err_.find('\n'), err_.size() - 1) << err_;
    EXPECT_EQ(out_, "");
  }

  std::string folder_;
  std::string out_;
  std::string err_;
};

TEST_F(ProbeCommand, SaysItsVersionAndWhatIsInIt) {
  EXPECT_EQ(run("--version"), 0);
  EXPECT_THAT(out_, StartsWith("paceline-probe " PACELINE_VERSION "\ncpu: OpenBLAS "));
  EXPECT_THAT(out_, HasSubstr("\ncuda: "));
}

TEST_F(ProbeCommand, HelpsOnStandardOutput) {
  EXPECT_EQ(run("--help"), 0);
  EXPECT_THAT(out_, HasSubstr("--only"));
  EXPECT_EQ(err_, "");
}

TEST_F(ProbeCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run("--device cpu --frobnicate"), 2);
  expect_one_line("--frobnicate");
  EXPECT_EQ(run("--device tpu"), 2);
  expect_one_line("tpu");
  EXPECT_EQ(run("--device cpu --only gemm,disk"), 2);
  expect_one_line("disk");
  EXPECT_EQ(run("--device cpu --ranks 1"), 2);
  expect_one_line("--ranks");
  EXPECT_EQ(run(""), 2);
  expect_one_line("--device is required; see paceline-probe --help");
  EXPECT_EQ(run("--device cuda --only collectives"), 2);
  expect_one_line("--device cpu");
}

TEST_F(ProbeCommand, RefusesAnOutputThatCannotBeWrittenBeforeMeasuring) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run("--device cpu --output '" + path("no/such/folder/p.json") + "'"), 2);
  expect_one_line("no folder");
  EXPECT_EQ(run("--device cpu --output '" + folder_ + "'"), 2);
  expect_one_line("a folder");
  // All of it takes minutes; this took none.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(ProbeCommand, WritesAProfileAndPrintsATable) {
  ASSERT_EQ(run("--device cpu --quick --only launch --output '" + path("p.json") + "'"), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("thread hand-over"));
  EXPECT_EQ(err_, "") << "no progress line without a terminal";
  const Profile profile = read_profile(path("p.json"));
  EXPECT_EQ(profile.backend, "cpu");
  EXPECT_EQ(profile.launches.size(), 2U);
  EXPECT_TRUE(profile.gemms.empty());
}

TEST_F(ProbeCommand, PrintsOnlyJsonWhenTheOutputIsStandardOutput) {
  ASSERT_EQ(run("--device cpu --quick --only launch --output -"), 0) << err_;
  JsonObject object = JsonValue::parse_text(out_, "standard output").object();
  EXPECT_NO_THROW(object.expect_format("paceline/profile-1"));
}

TEST_F(ProbeCommand, SaysWhatIsMissingWithoutAGpu) {
  const int code = run("--device cuda --quick --only launch --output '" + path("p.json") + "'");
  if (code == 0) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(code, 3);
  expect_one_line("--device cpu");
  EXPECT_FALSE(fs::exists(path("p.json")));
}

}  // namespace
}  // namespace paceline
