// Presets in a study: strategies among others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/study.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using ::testing::ElementsAre;

class StudyPresets : public test::TempFolder {
 protected:
  [[nodiscard]] Study read(const std::string& defaults, const std::string& model,
                           const std::string& platform) const {
    return read_study(test::source_catalog(),
                      write("study.json", R"({"format": "paceline/study-1", "name": "n", "title": "T",
                          "defaults": {)" + defaults +
                                              R"(}, "models": [{"model": "resnet18")" + model +
                                              R"(}], "platforms": [{"cluster": "dgx-1v", "sizes": [2])" +
                                              platform + "}]}"));
  }
  [[nodiscard]] std::string refused(const std::string& defaults, const std::string& model,
                                    const std::string& platform) const {
    const std::string message = test::refusal([&] { return read(defaults, model, platform); });
    const std::string prefix = path("study.json") + ": ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
  // "kind framework devices" of each case.
  static std::vector<std::string> cases(const Study& study) {
    std::vector<std::string> cases;
    for (const StudyCase& each : study.cases) {
      const Strategy& strategy = each.scenario.strategy;
      cases.push_back(strategy_names()[static_cast<std::size_t>(strategy.kind)] + " " + strategy.framework +
                      " " + std::to_string(each.scenario.devices));
    }
    return cases;
  }
};

TEST_F(StudyPresets, AreListedAsStrategies) {
  EXPECT_THAT(
      cases(read("", "", R"(, "strategies": ["tf-mirrored", "ddp", "pytorch-horovod"], "nodes": [2])")),
      ElementsAre("single pytorch 1", "mirrored tensorflow 2", "ddp pytorch 2", "horovod pytorch 2",
                  "mirrored tensorflow 16", "horovod pytorch 16", "ddp pytorch 16"));
}

TEST_F(StudyPresets, AreTheStrategyWhereNoneIsListed) {
  const std::vector<std::string> expected{"single tensorflow 1", "mirrored tensorflow 2",
                                          "mirrored tensorflow 16"};
  EXPECT_EQ(cases(read(R"("strategy": "tf-mirrored")", "", R"(, "nodes": [2])")), expected);
  EXPECT_EQ(cases(read("", R"(, "strategy": {"kind": "MirroredStrategy"})", R"(, "nodes": [2])")), expected);
}

TEST_F(StudyPresets, GiveWayToTheFieldsOfTheStudy) {
  EXPECT_THAT(cases(read(R"("framework": "tensorflow-xla")", "", R"(, "strategies": ["tf-mirrored"])")),
              ElementsAre("single tensorflow-xla 1", "mirrored tensorflow-xla 2"));
  const Study study = read("", R"(, "strategy": {"kind": "ddp", "bucket_cap": "5MiB"})",
                           R"(, "strategies": ["pytorch-ddp"])");
  EXPECT_EQ(study.cases.back().scenario.strategy.bucket_cap, mebibytes(5));
}

TEST_F(StudyPresets, OneDeviceIsNotSplit) {
  const Study study =
      read(R"("strategy": {"kind": "pytorch-ddp", "tensor": 2, "recompute": "full"})", "", "");
  EXPECT_EQ(study.cases.front().scenario.strategy.parallel.degrees.tensor, 1);
  EXPECT_EQ(study.cases.front().scenario.strategy.parallel.recompute, Recompute::full);
  EXPECT_EQ(study.cases.back().scenario.strategy.parallel.degrees.tensor, 2);
}

TEST_F(StudyPresets, AreNotMixedWithOtherStrategies) {
  EXPECT_EQ(
      refused(R"("strategy": "tf-mirrored")", R"(, "strategy": "ddp")", ""),
      "/models/0/strategy: found \"ddp\", expected \"tf-mirrored\", which another part of the study names; "
      "list several as \"strategies\" of a platform");
  EXPECT_EQ(
      refused(R"("strategy": "tf-mirrored")", "", R"(, "strategies": ["ddp"])"),
      "/defaults/strategy: found \"tf-mirrored\", expected a kind: the platform lists its \"strategies\"; "
      "list it there");
}

// Their number of micro-batches would depend on the devices.
TEST_F(StudyPresets, HaveOneBatchSize) {
  EXPECT_EQ(
      refused("", R"(, "micro_batch_size": 2, "global_batch_size": 64)", ""),
      "/models/0/global_batch_size: found 64, expected one of \"global_batch\" and \"batch_per_device\"; "
      "remove one of them");
}

}  // namespace
}  // namespace paceline
