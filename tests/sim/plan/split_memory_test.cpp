// What ranks of a split model hold.
#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/engine/engine.h"
#include "sim/memory/memory.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/split_case.h"

namespace paceline {
namespace {

using test::split_scenario;
using test::SplitCase;

std::vector<RankMemory> memory_of(const Scenario& scenario) {
  const SplitCase each(scenario);
  const Program program = plan(each.request());
  return memory_by_rank(program, run(program));
}

double at_peak(const RankMemory& rank, MemoryCause cause) {
  return rank.at_peak[static_cast<std::size_t>(cause)].value();
}

Scenario zero(int stage, int devices = 8) {
  Scenario scenario = split_scenario(devices, 1);
  scenario.strategy.kind = stage == 0   ? StrategyKind::distributed_data_parallel
                           : stage == 3 ? StrategyKind::fully_sharded
                                        : StrategyKind::zero;
  scenario.strategy.parallel.zero_stage = stage;
  return scenario;
}

// bf16 weights 2, fp32 gradients 4, master weights and Adam's states 12 bytes a parameter: 18; stage 1
// divides the 12 by 8, stage 2 the 4 too, stage 3 all.
TEST(SplitMemory, StatesAreThoseOfZerosStages) {
  const double parameters = SplitCase(zero(0)).step().parameters_of_stage(0, false);
  const auto bytes = [&](int stage) {
    const RankMemory rank = memory_of(zero(stage)).front();
    return (at_peak(rank, MemoryCause::gradients) + at_peak(rank, MemoryCause::optimizer)) / parameters;
  };
  EXPECT_NEAR(bytes(0), 4 + 12, 1e-9);
  EXPECT_NEAR(bytes(1), 4 + 12.0 / 8, 1e-9);
  EXPECT_NEAR(bytes(2), (4 + 12) / 8.0, 1e-9);
}

TEST(SplitMemory, ZeroStagesNeverUseMore) {
  for (const int devices : {2, 8, 16}) {
    double before = memory_of(zero(0, devices)).front().peak.value();
    for (const int stage : {1, 2, 3}) {
      const double peak = memory_of(zero(stage, devices)).front().peak.value();
      EXPECT_LE(peak, before) << stage << " on " << devices;
      before = peak;
    }
  }
}

// Stage i of p holds min(m, p - i) micro-batches of activations; every stage has as many layers here.
TEST(SplitMemory, StagesHoldTheMicroBatchesInFlight) {
  Scenario scenario = split_scenario(5, 8);
  scenario.strategy.parallel.degrees.pipeline = 5;
  const std::vector<RankMemory> ranks = memory_of(scenario);
  ASSERT_EQ(ranks.size(), 5U);
  const double one = at_peak(ranks[3], MemoryCause::activations) / 2;
  for (std::size_t stage = 1; stage < 4; ++stage)
    EXPECT_NEAR(at_peak(ranks[stage], MemoryCause::activations) / one, 5.0 - static_cast<double>(stage),
                1e-6);
}

// Of GPipe all of them.
TEST(SplitMemory, GPipeHoldsEveryMicroBatch) {
  Scenario scenario = split_scenario(5, 8);
  scenario.strategy.parallel.degrees.pipeline = 5;
  const double one = at_peak(memory_of(scenario)[3], MemoryCause::activations) / 2;
  scenario.strategy.parallel.schedule = PipelineSchedule::gpipe;
  EXPECT_NEAR(at_peak(memory_of(scenario)[3], MemoryCause::activations) / one, 8, 1e-6);
}

TEST(SplitMemory, RecomputationKeepsLess) {
  Scenario scenario = split_scenario(1, 1);
  double before = 1e18;
  for (const Recompute recompute : {Recompute::none, Recompute::half, Recompute::full}) {
    scenario.strategy.parallel.recompute = recompute;
    const double peak = memory_of(scenario).front().peak.value();
    EXPECT_LT(peak, before);
    before = peak;
  }
}

// At most two layers are gathered at a time: 2 x 2 bytes of a layer's parameters beside the shards.
TEST(SplitMemory, ShardedModelsHoldTwoGatheredUnits) {
  const SplitCase sharded(zero(3));
  double layer = 0;
  for (const UnitCost& cost : sharded.step().units) layer = std::max(layer, cost.unit.dense_parameters);
  const RankMemory rank = memory_of(zero(3)).front();
  const double shards = 2 * sharded.step().parameters_of_stage(0, false) / 8;
  EXPECT_LE(at_peak(rank, MemoryCause::parameters), shards + 3 * 2 * layer);
  EXPECT_GE(at_peak(rank, MemoryCause::parameters), shards);
}

TEST(SplitMemory, OffloadIsRefused) {
  Scenario scenario = zero(3);
  scenario.strategy.parallel.offload_optimizer = Offload::cpu;
  try {
    const SplitCase each(scenario);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "offload_optimizer: found \"cpu\", expected \"none\": the time of steps that offload is not "
                 "modelled; keep it on the devices");
  }
}

}  // namespace
}  // namespace paceline
