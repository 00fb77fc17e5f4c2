// What two rows differ in, and how often predictions turn as measurements do.
#include "sim/study/published_factors.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

JudgedRow row(const std::string& group, double predicted, double measured) {
  JudgedRow judged;
  judged.row.group = group;
  judged.row.scenario = Scenario{};
  Scenario& scenario = *judged.row.scenario;
  scenario.devices = 64;
  scenario.batch_per_device = 2;
  scenario.strategy.accumulation = 8;
  scenario.strategy.kind = StrategyKind::zero;
  scenario.strategy.parallel.degrees.tensor = 4;
  scenario.input.sequence = 2048;
  judged.row.cluster = Cluster{};
  judged.predicted = Seconds(predicted);
  judged.row.step = Seconds(measured);
  return judged;
}
Scenario& scenario(JudgedRow& judged) { return *judged.row.scenario; }
std::string factor(const JudgedRow& a, const JudgedRow& b) { return single_factor(a.row, b.row); }

TEST(PublishedFactors, NameWhatAloneDiffers) {
  const JudgedRow base = row("g", 1, 1);
  const auto differs = [&](auto&& change) {
    JudgedRow other = base;
    change(scenario(other));
    return factor(base, other);
  };
  EXPECT_EQ(differs([](Scenario&) {}), "");
  EXPECT_EQ(differs([](Scenario& s) { s.batch_per_device = 4; }), "micro-batch");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.accumulation = 16; }), "accumulation");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.bucket_cap = mebibytes(1); }), "bucket size");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.overlap = false; }), "overlap");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.parallel.zero_stage = 2; }), "ZeRO stage");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.parallel.degrees.virtual_stages = 2; }), "schedule");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.parallel.tensor_overlap = true; }), "tensor overlap");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.parallel.fp8 = Fp8Recipe::block; }), "precision");
  EXPECT_EQ(differs([](Scenario& s) { s.model = "gpt3-175b"; }), "model");
  EXPECT_EQ(differs([](Scenario& s) { s.devices = 128; }), "");
  EXPECT_EQ(differs([](Scenario& s) { s.cluster = "dgx-h100"; }), "");
  EXPECT_EQ(differs([](Scenario& s) { s.strategy.framework = "megatron-core"; }), "");
  EXPECT_EQ(differs([](Scenario& s) {
              s.strategy.parallel.zero_stage = 2;
              s.strategy.overlap = false;
            }),
            "");
}

// 64 / 4 = 16 data ranks with 2 x 8 samples each; tensor degree 8 leaves 8 ranks with 2 x 16: both 256.
TEST(PublishedFactors, DoNotCountTheBatchThatFollows) {
  const JudgedRow base = row("g", 1, 1);
  JudgedRow other = base;
  scenario(other).strategy.parallel.degrees.tensor = 8;
  scenario(other).strategy.accumulation = 16;
  EXPECT_EQ(factor(base, other), "tensor degree");
  other = base;
  scenario(other).batch_per_device = 4;
  scenario(other).strategy.accumulation = 4;
  EXPECT_EQ(factor(base, other), "micro-batch");
  other = base;
  scenario(other).input.sequence = 8192;
  scenario(other).batch_per_device = 1;
  EXPECT_EQ(factor(base, other), "sequence");
}

// Measured steps of 1, 1.2 and 1.21 s: the last two differ by less than 3 %, so two pairs count; predicted
// are 1, 1.1 and 0.9 s, of which the first pair turns the same way.
TEST(FactorDirections, CountPairsThatDifferEnough) {
  std::vector<JudgedRow> rows{row("g", 1, 1), row("g", 1.1, 1.2), row("g", 0.9, 1.21), row("h", 1, 1)};
  scenario(rows[1]).strategy.parallel.zero_stage = 1;
  scenario(rows[2]).strategy.parallel.zero_stage = 2;
  const auto directions = directions_of(rows);
  ASSERT_EQ(directions.size(), 1U);
  EXPECT_EQ(directions[0].factor, "ZeRO stage");
  EXPECT_EQ(directions[0].group, "g");
  EXPECT_EQ(directions[0].pairs, 2U);
  EXPECT_EQ(directions[0].agreed, 1U);
}

// Twice the samples in 1.5 times the step cost 0.75 of the device time a sample, in 2.5 times 1.25.
TEST(FactorDirections, AreOfTheDeviceTimeOfAToken) {
  std::vector<JudgedRow> rows{row("g", 1, 1), row("g", 2.5, 1.5)};
  scenario(rows[1]).batch_per_device = 4;
  EXPECT_EQ(directions_of(rows).at(0).agreed, 0U);
  rows[1].predicted = Seconds(1.9);
  EXPECT_EQ(directions_of(rows).at(0).agreed, 1U);
}

TEST(FactorDirections, AreSummedByFactorInTheTable) {
  Validation validation;
  validation.directions = {{"g", "overlap", 3, 3}, {"h", "overlap", 5, 3}, {"g", "sequence", 1, 0}};
  const Table table = directions_table(validation);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"overlap", "2", "8", "75"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"sequence", "1", "1", "0"}));
}

// 64 to 128 devices at equal work on each: measured 1 s to 1.25 s, 80 %; predicted 1 s to 1.1 s.
TEST(Efficiencies, AreInsideAConfiguration) {
  std::vector<JudgedRow> rows{row("g", 1, 1), row("g", 1.1, 1.25), row("g", 1, 1)};
  scenario(rows[1]).devices = 128;
  scenario(rows[2]).devices = 128;
  scenario(rows[2]).strategy.parallel.degrees.tensor = 8;
  add_efficiencies(rows);
  EXPECT_FALSE(rows[0].efficiency);
  ASSERT_TRUE(rows[1].efficiency);
  EXPECT_DOUBLE_EQ(*rows[1].efficiency, 1 / 1.1);
  EXPECT_DOUBLE_EQ(*rows[1].measured_efficiency, 0.8);
  EXPECT_FALSE(rows[2].efficiency);
}

}  // namespace
}  // namespace paceline
