// The files that a study leaves.
#include "sim/study/study_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/sim/study/well_formed_xml.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using test::xml_problem;

TEST(XmlCheck, FindsWhatIsWrong) {
  EXPECT_EQ(xml_problem("<a x=\"1>2\"><b/>text &amp; more</a>\n"), "");
  for (const char* wrong :
       {"", "<a>", "<a></b>", "<a>&</a>", "<a></a><b></b>", "<a x=\"<\"/>", "<a/", "x<a/>"})
    EXPECT_NE(xml_problem(wrong), "") << wrong;
}

class StudyFiles : public test::TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    study_.name = "files";
    study_.title = "Files <of> a study & more";
    Scenario scenario;
    scenario.model = "resnet18";
    study_.cases.push_back({scenario, "ResNet-18", "DGX-1V"});
    for (const StrategyKind kind : {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel}) {
      scenario.strategy.kind = kind;
      scenario.devices = 4;
      study_.cases.push_back({scenario, "ResNet-18", "DGX-1V"});
    }
    rows_ = run_study(test::source_catalog(), study_, nullptr, true);
  }

  Study study_;
  std::vector<StudyRow> rows_;
};

TEST_F(StudyFiles, AreAllThereAndNothingElse) {
  const auto files = write_study(study_, rows_, path("out"));
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("out")))
    if (entry.is_regular_file()) ++found;
  EXPECT_EQ(found, files.size());
  for (const char* name : {"table.md", "table.csv", "result.json", "speedup.svg", "memory.svg"})
    EXPECT_THAT(files, ::testing::Contains(path(std::string("out/") + name)));
  EXPECT_EQ(files.size(), 5 + rows_.size());
}

TEST_F(StudyFiles, ChartsAreWellFormed) {
  EXPECT_EQ(xml_problem(speedup_chart(study_, rows_)), "");
  EXPECT_EQ(xml_problem(memory_chart(study_, rows_)), "");
  EXPECT_THAT(speedup_chart(study_, rows_), ::testing::HasSubstr("Files &lt;of&gt; a study &amp; more"));
  EXPECT_EQ(speedup_chart(study_, rows_).find("nan"), std::string::npos);
}

TEST_F(StudyFiles, ChartsOfOneDeviceOnlyAreWellFormedToo) {
  rows_.resize(1);
  EXPECT_EQ(xml_problem(speedup_chart(study_, rows_)), "");
  EXPECT_EQ(xml_problem(memory_chart(study_, rows_)), "");
}

TEST_F(StudyFiles, TheResultHoldsEachCase) {
  const auto json = nlohmann::json::parse(study_json(study_, rows_));
  EXPECT_EQ(json.at("format"), "paceline/study-result-1");
  ASSERT_EQ(json.at("rows").size(), rows_.size());
  const auto& ddp = json.at("rows").at(2);
  EXPECT_EQ(ddp.at("scenario").at("strategy").at("kind"), "ddp");
  EXPECT_EQ(ddp.at("step_s"), rows_[2].prediction.step.value());
  EXPECT_EQ(ddp.at("gradient_messages_bytes").at(0), 2052000);
  EXPECT_EQ(read_scenario(JsonValue::parse_text(ddp.at("scenario").dump(), "row")).devices, 4);
}

}  // namespace
}  // namespace paceline
