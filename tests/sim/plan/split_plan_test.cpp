// Transformers over a mesh: what is planned takes the time that mechanism says.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/analytic/estimate.h"
#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/split_case.h"

namespace paceline {
namespace {

using test::split_scenario;
using test::SplitCase;

double step_of(const SplitCase& each) { return run(plan(each.request())).finish; }

// Without sends or gradients between stages' ranks, what is left is m (f + b) + (p - 1)(f + b) of equal
// stages, and the ends.
Scenario piped(int stages, int micro_batches, PipelineSchedule schedule, int chunks = 1) {
  Scenario scenario = split_scenario(stages, micro_batches);
  Parallelism& parallel = scenario.strategy.parallel;
  parallel.degrees.pipeline = stages;
  parallel.degrees.virtual_stages = chunks;
  parallel.schedule = schedule;
  parallel.recompute = Recompute::full;
  return scenario;
}

TEST(SplitPlan, AOneStageStepIsTheSumOfItsUnits) {
  const SplitCase alone(split_scenario(1, 3));
  const PlaceWork& all = alone.step().places.front();
  const double expected = 3 * (all.forward + all.backward).value() + alone.step().optimizer.front().value();
  EXPECT_NEAR(step_of(alone), expected, 1e-9 * expected);
  EXPECT_NEAR(estimate(alone.request()).step.value(), expected, 1e-9 * expected);
}

TEST(SplitPlan, DetailDoesNotChangeTheTime) {
  // One micro-batch is written kernel by kernel, 64 as whole places.
  const auto micro_batch = [](int count) {
    Scenario scenario = split_scenario(8, count);
    scenario.strategy.parallel.degrees.tensor = 8;
    scenario.strategy.parallel.recompute = Recompute::selective;
    const SplitCase each(scenario);
    return (step_of(each) - each.step().optimizer.front().value() - each.step().norm_exchange.value()) /
           count;
  };
  EXPECT_NEAR(micro_batch(1), micro_batch(400), 1e-9);
}

TEST(SplitPlan, TheClosedFormAgreesWithTheEngine) {
  for (const int stages : {2, 3, 5, 6})
    for (const int micro_batches : {8, 12, 30})
      for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
        const SplitCase each(piped(stages, micro_batches, schedule));
        const double engine = step_of(each), closed = estimate(each.request()).step.value();
        EXPECT_NEAR(engine / closed, 1, 0.02) << stages << " stages, " << micro_batches;
      }
}

TEST(SplitPlan, EverySchedulePlansAndIsAsLongAsItsFullestStage) {
  struct Case {
    PipelineSchedule schedule;
    int stages, chunks;
  };
  for (const Case& each :
       {Case{PipelineSchedule::gpipe, 4, 1}, Case{PipelineSchedule::one_forward_one_backward, 4, 1},
        Case{PipelineSchedule::interleaved, 2, 5}, Case{PipelineSchedule::zero_bubble_h1, 4, 1},
        Case{PipelineSchedule::zero_bubble_v, 3, 2}, Case{PipelineSchedule::dual_pipe, 2, 2}}) {
    const SplitCase split(piped(each.stages, 16, each.schedule, each.chunks));
    const double engine = step_of(split), closed = estimate(split.request()).step.value();
    const double least = estimate(split.request()).compute.value();
    EXPECT_GT(engine, least);
    EXPECT_NEAR(engine / closed, 1, 0.06)
        << pipeline_schedule_names()[static_cast<std::size_t>(each.schedule)];
  }
}

class UnfoldedSplit : public ::testing::TestWithParam<int> {};

TEST_P(UnfoldedSplit, TakesTheSameFoldedAndWrittenOut) {
  const int which = GetParam();
  Scenario scenario = split_scenario(16, 2);
  Parallelism& parallel = scenario.strategy.parallel;
  scenario.cluster = which % 2 ? "dgx-a100-80" : "8x-a100-80-25gbe";
  switch (which) {
    case 0:
      scenario.strategy.kind = StrategyKind::fully_sharded;
      break;
    case 1:
      parallel.degrees = {.tensor = 2, .pipeline = 2};
      break;
    case 2:
      scenario.strategy.kind = StrategyKind::zero;
      parallel.zero_stage = 1;
      parallel.degrees = {.tensor = 4, .context = 2};
      break;
    case 3:
      parallel.degrees = {.tensor = 2, .pipeline = 2, .virtual_stages = 5};
      break;
    case 4:
      scenario.strategy.kind = StrategyKind::zero;
      parallel.zero_stage = 2;
      parallel.replicas = 2;
      break;
    default:
      scenario.model = "mixtral-8x7b";
      scenario.input.sequence = 1024;
      parallel.degrees = {.pipeline = 2, .expert = 8};
  }
  const SplitCase each(scenario);
  const Program folded = plan(each.request()), written_out = unfold(folded);
  ASSERT_EQ(written_out.device_count(), 16);
  const Schedule one = run(folded), other = run(written_out);
  EXPECT_EQ(one.finish, other.finish);
  OpId unfolded = 0;
  for (OpId op = 0; op < folded.operations.size(); ++op) {
    const RankId rank = folded.streams[folded.operations[op].stream].rank;
    for (std::uint32_t replica = 0; replica < folded.ranks[rank].multiplicity; ++replica, ++unfolded) {
      ASSERT_EQ(one.start[op], other.start[unfolded]) << folded.strings[folded.operations[op].name];
      ASSERT_EQ(one.end[op], other.end[unfolded]) << folded.strings[folded.operations[op].name];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnfoldedSplit, ::testing::Range(0, 6));

TEST(SplitPlan, SendsHaveThePartnersOfTheirStage) {
  const SplitCase each(piped(5, 6, PipelineSchedule::one_forward_one_backward));
  const Program program = plan(each.request());
  // 4 boundaries x 6 micro-batches x 2 directions.
  const auto sends = std::count_if(program.communications.begin(), program.communications.end(),
                                   [](const Communication& communication) {
                                     return communication.kind == CommunicationKind::send_receive;
                                   });
  EXPECT_EQ(sends, 4 * 6 * 2);
}

// Ring: 2 (n - 1) / n of the gradients; of ZeRO-1 the same in two halves, of FSDP gathers twice beside them.
TEST(SplitPlan, BytesSentAreThoseOfTheClosedFormulas) {
  const auto sent = [](StrategyKind kind, int stage) {
    Scenario scenario = split_scenario(8, 1);
    scenario.strategy.kind = kind;
    scenario.strategy.parallel.zero_stage = stage;
    scenario.strategy.parallel.gradient_bytes = 2;
    const SplitCase each(scenario);
    const Program program = plan(each.request());
    double bytes = 0;
    for (const Communication& communication : program.communications) {
      if (communication.group == "world") continue;
      const double factor = communication.kind == CommunicationKind::all_reduce ? 2 : 1;
      bytes += factor * 7.0 / 8 * communication.message.value();
    }
    return bytes / each.step().parameters_of_stage(0, false);
  };
  EXPECT_NEAR(sent(StrategyKind::distributed_data_parallel, 0), 2 * 7.0 / 8 * 2, 1e-9);
  EXPECT_NEAR(sent(StrategyKind::zero, 1), 2 * 7.0 / 8 * 2, 1e-9);
  EXPECT_NEAR(sent(StrategyKind::fully_sharded, 3), 3 * 7.0 / 8 * 2, 1e-9);
}

}  // namespace
}  // namespace paceline
