// Studies give the same whatever runs them, and compare each case with one device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <atomic>

#include "sim/study/study.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using oneapi::tbb::global_control;
using ::testing::ElementsAre;

Study small_study() {
  Scenario scenario;
  scenario.model = "resnet18";
  Study study{"small", "Small", {}};
  for (const StrategyKind kind : {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel}) {
    for (const int devices : {2, 3, 4, 8}) {
      scenario.strategy.kind = kind;
      scenario.devices = devices;
      study.cases.push_back({scenario, "ResNet-18", "DGX-1V"});
    }
  }
  return study;
}

std::string json_of(const Study& study) {
  return study_json(study, run_study(test::source_catalog(), study, nullptr, true));
}

TEST(Study, GivesTheSameBytesWithOneThreadAndWithMany) {
  const Study study = small_study();
  std::string one_thread;
  {
    const global_control limit(global_control::max_allowed_parallelism, 1);
    one_thread = json_of(study);
  }
  const global_control limit(global_control::max_allowed_parallelism, 8);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(json_of(study), one_thread);
}

// speedup = throughput over that of one device with the same batch per device; efficiency = speedup /
// devices.
TEST(Study, ComparesWithOneDeviceThatItNeedNotHold) {
  const auto rows = run_study(test::source_catalog(), small_study(), nullptr, false);
  Scenario alone = rows.front().input.scenario;
  alone.devices = 1;
  alone.strategy.kind = StrategyKind::single;
  const double base = predict(test::source_catalog(), alone).samples_per_second;
  for (const StudyRow& row : rows) {
    EXPECT_DOUBLE_EQ(row.speedup, row.prediction.samples_per_second / base);
    EXPECT_DOUBLE_EQ(row.scaling_efficiency, row.speedup / row.input.scenario.devices);
  }
}

TEST(Study, TellsItsProgress) {
  const Study study = small_study();
  std::atomic<std::size_t> calls{0}, last{0};
  static_cast<void>(
      run_study(test::source_catalog(), study, nullptr, false, [&](std::size_t done, std::size_t all) {
        ++calls;
        EXPECT_EQ(all, study.cases.size());
        if (done == all) last = done;
      }));
  EXPECT_EQ(calls, study.cases.size());
  EXPECT_EQ(last, study.cases.size());
}

// Predictions side by side do not touch each other: each equals the one made alone.
TEST(Study, CasesDoNotTouchEachOther) {
  const auto rows = run_study(test::source_catalog(), small_study(), nullptr, false);
  for (const StudyRow& row : rows)
    EXPECT_EQ(row.prediction.step, predict(test::source_catalog(), row.input.scenario).step);
}

TEST(ScalingStudy, StartsWithOneDevice) {
  Scenario scenario;
  scenario.strategy.kind = StrategyKind::data_parallel;
  const Study study = scaling_study(test::source_catalog(), scenario, {1, 2, 8});
  ASSERT_EQ(study.cases.size(), 3U);
  EXPECT_EQ(study.cases[0].scenario.strategy.kind, StrategyKind::single);
  EXPECT_EQ(study.cases[2].scenario.devices, 8);
}

TEST(StudyTable, HasAColumnForEveryQuestion) {
  Study study = small_study();
  study.cases.resize(1);
  const Table table = study_table(run_study(test::source_catalog(), study, nullptr, false));
  std::vector<std::string> titles;
  for (const Table::Column& column : table.columns) titles.push_back(column.title);
  for (const char* title : {"model", "cluster", "strategy", "GPUs", "step ms", "samples/s", "speedup",
                            "efficiency %", "exposed comm ms", "GPU 0 peak GiB", "others GiB", "fits"})
    EXPECT_THAT(titles, ::testing::Contains(title));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].size(), titles.size());
}

}  // namespace
}  // namespace paceline
