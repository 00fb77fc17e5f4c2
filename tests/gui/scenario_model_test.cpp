#include "gui/models/scenario_model.h"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include "base/error.h"
#include "gui/models/curve_model.h"
#include "gui/models/device_counts.h"

namespace paceline::gui {
namespace {

using testing::ElementsAre;

class ScenarioModelTest : public testing::Test {
 protected:
  const Catalog catalog_ = Catalog::load(PACELINE_SOURCE_DIR "/scenarios");
  ScenarioModel model_{catalog_};
  QSignalSpy changes_{&model_, &ScenarioModel::changed};
};

TEST(DeviceCounts, DoubleUpToANodeThenWholeNodes) {
  EXPECT_THAT(device_counts(8, 32), ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_THAT(device_counts(6, 24), ElementsAre(1, 2, 4, 6, 12, 24));
  EXPECT_THAT(device_counts(8, 4), ElementsAre(1, 2, 4));
  EXPECT_THAT(device_counts(1, 1), ElementsAre(1));
}

TEST_F(ScenarioModelTest, SaysWhenSomethingChangedAndOnlyThen) {
  model_.set_devices(8);
  EXPECT_EQ(changes_.count(), 1);
  model_.set_devices(8);
  EXPECT_EQ(changes_.count(), 1);
}

TEST_F(ScenarioModelTest, OneGpuAndBackRemembersTheDevices) {
  model_.set_devices(32);
  model_.set_strategy(StrategyKind::single);
  EXPECT_EQ(model_.scenario().devices, 1);
  model_.set_strategy(StrategyKind::distributed_data_parallel);
  EXPECT_EQ(model_.scenario().devices, 32);
}

TEST_F(ScenarioModelTest, DataParallelStaysWithinANode) {
  model_.set_devices(64);
  model_.set_strategy(StrategyKind::data_parallel);
  EXPECT_EQ(model_.scenario().devices, 8);
  EXPECT_EQ(model_.most_devices(), 8);
}

TEST_F(ScenarioModelTest, ASmallerClusterLimitsTheDevices) {
  model_.set_devices(64);
  model_.set_cluster("2x-rtx-3090");  // one node of two, without a network
  EXPECT_EQ(model_.scenario().devices, 2);
}

TEST_F(ScenarioModelTest, AnotherModelForgetsTheInputOfTheOld) {
  model_.edit([](Scenario& scenario) { scenario.input.sequence = 384; });
  EXPECT_EQ(model_.sequence(), 384);
  model_.set_model("resnet50");
  EXPECT_EQ(model_.sequence(), 0);
}

TEST_F(ScenarioModelTest, AliasesBecomeNames) {
  Scenario scenario;
  scenario.cluster = "dgx-1";
  model_.set_scenario(scenario);
  EXPECT_EQ(model_.scenario().cluster, "dgx-1v");
}

TEST_F(ScenarioModelTest, AnUnknownNameChangesNothing) {
  const std::string before = to_json(model_.scenario());
  Scenario scenario;
  scenario.model = "resnet51";
  EXPECT_THROW(model_.set_scenario(scenario), InputError);
  EXPECT_EQ(to_json(model_.scenario()), before);
  EXPECT_EQ(changes_.count(), 0);
}

TEST_F(ScenarioModelTest, TheBucketIsTheFrameworksUntilItIsChosen) {
  EXPECT_EQ(model_.bucket_cap(), catalog_.frameworks.framework("pytorch").gradients.bucket_cap);
  model_.edit([](Scenario& scenario) { scenario.strategy.bucket_cap = mebibytes(100); });
  EXPECT_EQ(model_.bucket_cap(), mebibytes(100));
}

TEST_F(ScenarioModelTest, CurvesPassThroughTheScenariosOwnNumber) {
  Scenario scenario = model_.scenario();
  scenario.devices = 24;  // three full nodes of eight
  EXPECT_THAT(curve_counts(catalog_, scenario), ElementsAre(1, 2, 4, 8, 16, 24, 32, 64));
}

}  // namespace
}  // namespace paceline::gui
