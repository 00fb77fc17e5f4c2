// What the numbers and files that `paceline` leaves must agree on.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/file.h"
#include "tests/base/scratch_folder.h"
#include "tests/cli/command.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Results : public ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    fs::copy(std::string(PACELINE_SOURCE_DIR) + "/tests/cli/inputs", folder_);
  }
  CommandResult run(const std::string& line) { return run_command(line, folder_); }
  // The number behind `words` in `text`.
  static double number_behind(const std::string& text, const std::string& words) {
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(words + "([0-9.]+)"))) {
      ADD_FAILURE() << "no number behind \"" << words << "\" in " << text;
      return -1;
    }
    return std::stod(match[1]);
  }
};

TEST_F(Results, ATraceOfThePredictionTellsTheSameCommunication) {
  const CommandResult predicted = run("paceline predict resnet50-ddp.json --json - --timeline t.json.gz");
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  const json row = json::parse(predicted.out)["rows"][0];
  const CommandResult analysis = run("paceline trace analyze t.json.gz");
  ASSERT_EQ(analysis.exit_code, 0) << analysis.err;
  // A timeline counts whole nanoseconds: a slice may be one off at either end.
  const double exposed = row["exposed_communication_s"].get<double>() * 1e6;
  EXPECT_NEAR(number_behind(analysis.out, "exposed "), exposed, 0.1);
  EXPECT_NEAR(number_behind(analysis.out, "union "), row["communication_s"].get<double>() * 1e6, 0.1);
  EXPECT_GT(exposed, 0);
}

TEST_F(Results, TextAndJsonTellTheSameStep) {
  const json row = json::parse(run("paceline predict resnet50-ddp.json --json -").out)["rows"][0];
  const std::string text = run("paceline predict resnet50-ddp.json").out;
  EXPECT_NEAR(number_behind(text, "step time +"), row["step_s"].get<double>() * 1e3, 0.06);
  EXPECT_NEAR(number_behind(text, "throughput +"), row["samples_per_s"].get<double>(), 1);
  EXPECT_EQ(row["global_batch"], 128);
}

TEST_F(Results, TheSameQuestionHasTheSameAnswerToTheByte) {
  const CommandResult first = run("paceline study small-study.json -o a && cat a/result.json");
  const CommandResult second = run("paceline study small-study.json -o b && cat b/result.json");
  EXPECT_EQ(first.out.substr(first.out.find("\n{")), second.out.substr(second.out.find("\n{")));
}

TEST_F(Results, OfAStudyAreFilesThatOthersCanRead) {
  ASSERT_EQ(run("paceline study small-study.json -o new/out").exit_code, 0);
  EXPECT_THAT(read_file(path("new/out/table.md")), StartsWith("# "));
  EXPECT_THAT(read_file(path("new/out/table.csv")), StartsWith("model,cluster,"));
  for (const char* chart : {"speedup.svg", "memory.svg"}) {
    const std::string svg = read_file(path("new/out/") + chart);
    EXPECT_THAT(svg, HasSubstr("<svg ")) << chart;
    EXPECT_THAT(svg, EndsWith("</svg>\n")) << chart;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << chart;
  }
  const json result = json::parse(read_file(path("new/out/result.json")));
  EXPECT_EQ(result["rows"].size(), 5U);
  for (const json& row : result["rows"]) {
    const std::string timeline = path("new/out/timelines/") + row["case"].get<std::string>() + ".json.gz";
    EXPECT_GT(read_trace(timeline).timeline.slice_count(), 100U) << timeline;
  }
}

TEST_F(Results, OfTheStudyInTheReadmeAreComplete) {
  const std::string file = std::string(PACELINE_SOURCE_DIR) + "/scenarios/studies/dp-vs-ddp.json";
  const CommandResult result = run("paceline study '" + file + "' -o out");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "progress without a terminal";
  const json rows = json::parse(read_file(path("out/result.json")))["rows"];
  std::size_t timelines = 0;
  for (const auto& entry : fs::directory_iterator(path("out/timelines"))) timelines += entry.file_size() > 0;
  EXPECT_EQ(timelines, rows.size());
  EXPECT_GT(rows.size(), 40U);
}

TEST_F(Results, OfValidationCoverEveryRow) {
  const CommandResult result = run("paceline validate training --json v.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("core group"));
  const json validation = json::parse(read_file(path("v.json")));
  EXPECT_EQ(validation["format"], "paceline/validation-1");
  std::size_t rows = 0;
  for (const auto& entry :
       fs::directory_iterator(std::string(PACELINE_SOURCE_DIR) + "/scenarios/published")) {
    if (entry.path().extension() != ".json") continue;  // tables of kernel times
    const json file = json::parse(read_file(entry.path()));
    if (file["kind"] == "training") rows += file["rows"].size();
  }
  EXPECT_EQ(validation["rows"].size(), rows);
  for (const json& row : validation["rows"])
    EXPECT_NE(row["predicted"].is_null(), row["why_not"].is_null()) << row["id"];
}

TEST_F(Results, PipedOutputIsWhatIsAskedForOnly) {
  const CommandResult piped = run("paceline validate training published.json --json - | cat");
  EXPECT_EQ(piped.err, "");
  EXPECT_EQ(json::parse(piped.out)["rows"].size(), 3U);
  EXPECT_EQ(run("paceline list models | head -1").err, "");
}

TEST_F(Results, AFullDiskIsAnErrorAndNotSilence) {
  const CommandResult printed = run("paceline list models >/dev/full");
  EXPECT_EQ(printed.exit_code, 4);
  EXPECT_THAT(printed.err, StartsWith("paceline: "));
  const CommandResult written = run("paceline predict resnet50-ddp.json --json /dev/full");
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_THAT(written.err, HasSubstr("/dev/full: found No space left on device"));
}

}  // namespace
}  // namespace paceline
