// The studies of docs/claims.md: each is read and runs, and shows what the page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "sim/study/study.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Lt;

const std::string folder = std::string(PACELINE_SOURCE_DIR) + "/scenarios/studies/claims";

std::vector<StudyRow> rows_of(const std::string& name) {
  const Study study = read_study(test::source_catalog(), folder + "/" + name + ".json");
  return run_study(test::source_catalog(), study, nullptr, false);
}

using Choice = std::function<bool(const Scenario&)>;

std::vector<StudyRow> chosen(const std::vector<StudyRow>& rows, const Choice& choice) {
  std::vector<StudyRow> found;
  for (const StudyRow& row : rows)
    if (row.input.scenario.devices > 1 && choice(row.input.scenario)) found.push_back(row);
  return found;
}

StudyRow only(const std::vector<StudyRow>& rows, const Choice& choice) {
  const std::vector<StudyRow> found = chosen(rows, choice);
  EXPECT_EQ(found.size(), 1U);
  return found.at(0);
}

StudyRow on(const std::vector<StudyRow>& rows, const std::string& model, const std::string& cluster) {
  return only(rows, [&](const Scenario& each) { return each.model == model && each.cluster == cluster; });
}

TEST(Claims, AreReadAndRunAndStandInThePage) {
  const std::string page = read_file(std::string(PACELINE_SOURCE_DIR) + "/docs/claims.md");
  std::size_t studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    EXPECT_THAT(page, HasSubstr("paceline study scenarios/studies/claims/" + name + ".json"));
    EXPECT_THAT(page, HasSubstr("<!-- study " + name + " -->\n| model |"));
    const std::vector<StudyRow> rows = rows_of(name);
    EXPECT_GT(rows.size(), 1U) << name;
    for (const StudyRow& row : rows) EXPECT_GT(row.prediction.step, Seconds(0)) << name;
    ++studies;
  }
  EXPECT_EQ(studies, 10U);
}

// Speedup of n devices that share nothing is n; 7 of 8 is an efficiency of 87.5 %.
TEST(Claims, DdpReachesSevenOfEightOnlyWhereLinksAreFastForTheModel) {
  const auto rows = rows_of("ddp-8-gpus");
  EXPECT_GT(on(rows, "resnet50", "dgx-1v").speedup, 7);
  EXPECT_LT(on(rows, "bert-large", "dgx-h100").speedup, 7);
  EXPECT_LT(on(rows, "bert-large", "8x-rtx-4090").speedup, 2);
  for (const StudyRow& row : rows) EXPECT_LE(row.speedup, row.input.scenario.devices);
}

// 92 / 128 = 0.72: between the networks, not a property of 128 devices.
TEST(Claims, NinetyTwoOf128LiesBetweenTheNetworks) {
  const auto rows = rows_of("ddp-128-gpus");
  EXPECT_GT(on(rows, "resnet50", "8x-v100-nvlink-ib-100").speedup, 92);
  EXPECT_LT(on(rows, "resnet50", "8x-v100-nvlink-10gbe").speedup, 92);
  EXPECT_LT(on(rows, "bert-large", "p3.16xlarge").speedup, 92.0 / 5);
}

TEST(Claims, DdpIsFasterThanDataParallelInEveryPair) {
  const auto rows = rows_of("data-parallel-8-gpus");
  const auto kind = [&](StrategyKind wanted) {
    return chosen(rows, [=](const Scenario& each) { return each.strategy.kind == wanted; });
  };
  const auto dp = kind(StrategyKind::data_parallel);
  const auto ddp = kind(StrategyKind::distributed_data_parallel);
  ASSERT_EQ(dp.size(), 12U);
  ASSERT_EQ(ddp.size(), dp.size());
  for (std::size_t pair = 0; pair < dp.size(); ++pair) EXPECT_GT(ddp[pair].speedup, dp[pair].speedup);
}

// What device 0 holds beyond the others: outputs of all devices, so it grows with their number.
TEST(Claims, ExcessOfTheFirstDeviceIsNoConstant) {
  const auto rows = rows_of("data-parallel-memory");
  const auto ratio = [&](const std::string& model, int devices) {
    const StudyRow row =
        only(rows, [&](const Scenario& each) { return each.model == model && each.devices == devices; });
    return row.prediction.first_device_peak() / row.prediction.other_device_peak();
  };
  EXPECT_LT(ratio("resnet50", 8), 1.1);
  EXPECT_GT(ratio("gpt2-small", 8), 1.5);
  EXPECT_LT(ratio("gpt2-small", 2), ratio("gpt2-small", 4));
  EXPECT_LT(ratio("gpt2-small", 4), ratio("gpt2-small", 8));
}

TEST(Claims, GradientsOfFourV100AreHiddenInANodeAndNotBetweenMachines) {
  const auto rows = rows_of("gradient-synchronisation-4-v100");
  const auto shares_on = [&](const std::string& cluster, int batch) {
    std::vector<double> shares;
    for (const StudyRow& row : chosen(rows, [&](const Scenario& each) {
           return each.cluster == cluster && each.batch_per_device == batch;
         }))
      shares.push_back(row.prediction.breakdown.exposed_communication / row.prediction.step);
    return shares;
  };
  for (const char* in_a_node : {"c4140-v100", "4x-v100-pcie"})
    for (const int batch : {8, 64})
      EXPECT_THAT(shares_on(in_a_node, batch), ElementsAre(Lt(0.1), Lt(0.1))) << in_a_node;
  EXPECT_THAT(shares_on("4x-v100-10gbe", 8), ElementsAre(Gt(0.35), Gt(0.35)));
}

// What stage 3 costs over stage 2: parameters gathered twice a step, which links decide.
TEST(Claims, PriceOfZero3IsNoConstant) {
  const auto rows = rows_of("zero3-saving");
  const auto price = [&](const std::string& model, int devices) {
    const auto step = [&](int stage) {
      return only(rows,
                  [&](const Scenario& each) {
                    return each.model == model && each.devices == devices &&
                           each.strategy.parallel.zero_stage == stage;
                  })
          .prediction.step;
    };
    return step(3) / step(2);
  };
  EXPECT_GT(price("gpt3-1.3b", 64), price("gpt3-1.3b", 8) * 1.02);
  EXPECT_GT(price("gpt3-6.7b", 64), price("gpt3-6.7b", 8) * 1.02);
  EXPECT_GT(std::abs(price("gpt3-1.3b", 64) - price("gpt3-6.7b", 64)), 0.005);
}

// Communication against the step of one device, which is throughput alone: batch / samples a second.
TEST(Claims, BertLargeCommunicatesLongerThanItComputesOnSlowLinksOnly) {
  const auto rows = rows_of("bert-large-communication");
  const auto ratios_on = [&](const std::string& cluster) {
    std::vector<double> ratios;
    for (const StudyRow& row : chosen(rows, [&](const Scenario& each) { return each.cluster == cluster; })) {
      const double alone =
          row.input.scenario.batch_per_device * row.speedup / row.prediction.samples_per_second;
      ratios.push_back(row.prediction.breakdown.communication.value() / alone);
    }
    return ratios;
  };
  EXPECT_THAT(ratios_on("p3.16xlarge"), ElementsAre(Gt(1), Gt(1)));
  EXPECT_THAT(ratios_on("8x-v100-nvlink-ib-100"), ElementsAre(Gt(1), Lt(1)));
  EXPECT_THAT(ratios_on("dgx-a100-80"), ElementsAre(Lt(1), Lt(1)));
}

// Six equal stages work for m of m + 5 slots: at most 6 m / (m + 5) of one device.
TEST(Claims, SixStagesStayBelowTheirBubble) {
  double last = 0;
  for (const StudyRow& row : chosen(rows_of("six-stage-pipeline"), [](const Scenario&) { return true; })) {
    const double micro_batches = row.input.scenario.strategy.accumulation;
    EXPECT_LT(row.speedup, 6 * micro_batches / (micro_batches + 5));
    EXPECT_GT(row.speedup, last);
    last = row.speedup;
  }
  EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace paceline
