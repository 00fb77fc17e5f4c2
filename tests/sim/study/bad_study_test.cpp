// Study files that are wrong are refused before anything is computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/study.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StudyFile : public test::TempFolder {
 protected:
  [[nodiscard]] std::string answer(const std::string& models, const std::string& platforms,
                                   const std::string& more = "") const {
    const std::string file =
        write("study.json", R"({"format": "paceline/study-1", "name": "n", "title": "T", "models": )" +
                                models + R"(, "platforms": )" + platforms + more + "}");
    const std::string message = test::refusal([&] { return read_study(test::source_catalog(), file); });
    const std::string prefix = file + ": ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
};

constexpr const char* model = R"([{"model": "resnet18"}])";
constexpr const char* platform = R"([{"cluster": "dgx-1v", "sizes": [2], "nodes": [2]}])";

TEST_F(StudyFile, OneDeviceThenEveryStrategyThenNodes) {
  EXPECT_EQ(answer(model, platform), "accepted");
  const Study study = read_study(test::source_catalog(), path("study.json"));
  std::vector<std::pair<StrategyKind, int>> cases;
  for (const StudyCase& each : study.cases)
    cases.emplace_back(each.scenario.strategy.kind, each.scenario.devices);
  EXPECT_THAT(cases, ::testing::ElementsAre(std::pair{StrategyKind::single, 1},
                                            std::pair{StrategyKind::data_parallel, 2},
                                            std::pair{StrategyKind::distributed_data_parallel, 2},
                                            std::pair{StrategyKind::distributed_data_parallel, 16}));
}

TEST_F(StudyFile, NamesAreCheckedBeforeAnythingIsComputed) {
  EXPECT_THAT(answer(R"([{"model": "resnet1"}])", platform), HasSubstr("resnet18"));
  EXPECT_THAT(answer(model, R"([{"cluster": "dgx"}])"), StartsWith("cluster: found \"dgx\""));
  EXPECT_THAT(answer(R"([{"model": "resnet18", "framework": "torch"}])", platform),
              StartsWith("framework: "));
  EXPECT_THAT(answer(model, R"([{"cluster": "dgx-1v", "strategies": ["gossip"]}])"),
              StartsWith("/platforms/0/strategies/0: found \"gossip\""));
}

TEST_F(StudyFile, ListsHoldSomething) {
  EXPECT_EQ(answer("[]", platform), "/models: found an array of 0, expected at least one model");
  EXPECT_EQ(answer(model, "[]"), "/platforms: found an array of 0, expected at least one platform");
  EXPECT_EQ(answer(model, R"([{"cluster": "dgx-1v", "sizes": []}])"),
            "/platforms/0/sizes: found an array of 0, expected at least one number");
}

TEST_F(StudyFile, UnknownFieldsAreRefusedAtEveryLevel) {
  EXPECT_THAT(answer(model, platform, R"(, "titel": "T")"), EndsWith("did you mean \"title\"?"));
  EXPECT_THAT(answer(R"([{"model": "resnet18", "modle": "x"}])", platform),
              EndsWith("did you mean \"model\"?"));
  EXPECT_THAT(answer(model, R"([{"cluster": "dgx-1v", "size": [2]}])"), EndsWith("did you mean \"sizes\"?"));
}

TEST_F(StudyFile, CountsArePositive) {
  EXPECT_EQ(answer(model, R"([{"cluster": "dgx-1v", "nodes": [0]}])"),
            "/platforms/0/nodes/0: found 0, expected a whole number from 1 to 1048576");
}

}  // namespace
}  // namespace paceline
