// Pipeline schedules: bubbles, warm-up, what is held at a time, refusals.
#include "sim/strategy/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/message_of.h"
#include "tests/sim/strategy/pipeline_run.h"

namespace paceline {
namespace {

using enum PipelineSchedule;
using ::testing::ElementsAre;

double bubble(const PipelineShape& shape, const StageTimes& times) {
  const PipelineRun run(shape, times);
  EXPECT_TRUE(run.ended());
  return run.bubble();
}

std::vector<int> by_stage(const PipelineShape& shape) {
  std::vector<int> most;
  for (int stage = 0; stage < shape.stages; ++stage) most.push_back(most_in_flight(shape, stage));
  return most;
}

// Forwards before the first backward; that of steady state follows its forward.
std::vector<int> warm_up(const PipelineShape& shape) {
  std::vector<int> counts;
  for (const auto& tasks : tasks_of_stages(shape)) {
    int forwards = 0;
    while (tasks[static_cast<std::size_t>(forwards)].work == StageWork::forward) ++forwards;
    counts.push_back(forwards - 1);
  }
  return counts;
}

// (p - 1)(F + B) of p = 8: 7 (1 + 2) = 21, of a step of 32 (1 + 2) = 96: 0.21875; of the whole 7/39.
TEST(Pipeline, BubbleOfGpipeAndOneForwardOneBackward) {
  for (const PipelineSchedule schedule : {gpipe, one_forward_one_backward}) {
    EXPECT_DOUBLE_EQ(bubble({schedule, 8, 1, 32}, {}), 21);
    EXPECT_DOUBLE_EQ(bubble({schedule, 8, 1, 32}, {}) / 96, 0.21875);
    EXPECT_DOUBLE_EQ(bubble({schedule, 8, 1, 32}, {}) / (96 + 21), 7.0 / 39);
    EXPECT_DOUBLE_EQ(bubble({schedule, 16, 1, 32}, {}), 45);  // 15 (1 + 2)
  }
}

// (p - 1)(F + B) / v = 21 / 4, of 96: 0.0547.
TEST(Pipeline, InterleavingDividesTheBubbleByTheChunks) {
  EXPECT_DOUBLE_EQ(bubble({interleaved, 8, 4, 32}, {}), 21.0 / 4);
  EXPECT_NEAR(bubble({interleaved, 8, 4, 32}, {}) / 96, 0.0547, 5e-5);
  EXPECT_DOUBLE_EQ(bubble({interleaved, 8, 2, 32}, {}), 21.0 / 2);
}

// (p - 1)(F + Bi - W): 7 (1 + 1 - 1) = 7, of 96: 0.0729; 15 of p = 16; with F 4, Bi 5, W 3: 7 x 6 = 42.
TEST(Pipeline, ZeroBubbleH1FillsWithGradientsOfWeights) {
  EXPECT_DOUBLE_EQ(bubble({zero_bubble_h1, 8, 1, 32}, {}), 7);
  EXPECT_NEAR(bubble({zero_bubble_h1, 8, 1, 32}, {}) / 96, 0.0729, 5e-5);
  EXPECT_DOUBLE_EQ(bubble({zero_bubble_h1, 16, 1, 32}, {}), 15);
  EXPECT_DOUBLE_EQ(bubble({zero_bubble_h1, 8, 1, 32}, {4, 5, 3}), 42);
}

// No stage ever waits between its first and its last task when F = Bi = W and there are 2 p - 1
// micro-batches.
TEST(Pipeline, ZeroBubbleVHasNone) {
  for (const int stages : {1, 2, 3, 4, 8, 16}) {
    EXPECT_DOUBLE_EQ(bubble({zero_bubble_v, stages, 2, 2 * stages - 1}, {2, 2, 2}), 0) << stages;
    EXPECT_DOUBLE_EQ(bubble({zero_bubble_v, stages, 2, 64}, {2, 2, 2}), 0) << stages;
  }
}

// (p / 2 - 1)(F&B + B - 3 W), a forward beside a backward taking as long as both after each other:
// 3 (3 + 2 - 3) = 6 of p = 8; 7 x 2 = 14 of p = 16.
TEST(Pipeline, BubbleOfDualPipe) {
  EXPECT_DOUBLE_EQ(bubble({dual_pipe, 8, 2, 32}, {}), 6);
  EXPECT_DOUBLE_EQ(bubble({dual_pipe, 16, 2, 64}, {}), 14);
  EXPECT_DOUBLE_EQ(bubble({dual_pipe, 2, 2, 4}, {}), 0);
}

// Interleaved: 2 (p - s - 1) + (v - 1) g.
TEST(Pipeline, WarmUp) {
  EXPECT_THAT(warm_up({one_forward_one_backward, 4, 1, 8}), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(warm_up({interleaved, 4, 2, 8}), ElementsAre(10, 8, 6, 4));
  EXPECT_THAT(warm_up({interleaved, 4, 2, 12, 6}), ElementsAre(12, 10, 8, 6));
}

// All 4 x 2 forwards before the first backward: 2 (4 - 1) + 4 = 10 is more.
TEST(Pipeline, WarmUpEndsWithTheMicroBatches) {
  EXPECT_THAT(warm_up({interleaved, 4, 2, 4}), ElementsAre(7, 7, 6, 4));
  EXPECT_THAT(warm_up({one_forward_one_backward, 4, 1, 2}), ElementsAre(1, 1, 1, 0));
}

// min(m, p - s) of 1F1B, m of GPipe, p everywhere of ZB-H1; ZB-V 2 p half stages; DualPipe p + 1.
TEST(Pipeline, HoldsWhatItMust) {
  EXPECT_THAT(by_stage({one_forward_one_backward, 4, 1, 8}), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(by_stage({one_forward_one_backward, 4, 1, 2}), ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(by_stage({gpipe, 4, 1, 8}), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(by_stage({zero_bubble_h1, 4, 1, 8}), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(by_stage({zero_bubble_v, 4, 2, 8}), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(by_stage({dual_pipe, 4, 2, 8}), ElementsAre(5, 5, 5, 5));
}

// p (1 + (p - 1)/(p v)) = 8 x 1.4375 = 11.5 stages of micro-batches = 23 halves.
TEST(Pipeline, InterleavingHoldsMore) {
  EXPECT_EQ(most_in_flight({interleaved, 8, 2, 32}, 0), 23);
  EXPECT_EQ(most_in_flight({interleaved, 8, 1, 32}, 0), 8 * 2 - 1);
}

// Groups of 2 of 2 stages and 2 chunks: micro-batches 0, 1 through both chunks, then 2, 3.
TEST(Pipeline, OrderOfInterleaving) {
  std::vector<int> forwards, backwards;
  const auto stages = tasks_of_stages({interleaved, 2, 2, 4});
  for (const StageTask& task : stages[1])
    (task.work == StageWork::forward ? forwards : backwards).push_back(10 * task.chunk + task.micro_batch);
  EXPECT_THAT(forwards, ElementsAre(0, 1, 10, 11, 2, 3, 12, 13));
  EXPECT_THAT(backwards, ElementsAre(10, 11, 0, 1, 12, 13, 2, 3));
}

TEST(Pipeline, PlacesInTheModel) {
  const auto places = [](const PipelineShape& shape) {
    std::vector<int> found;
    for (int chunk = 0; chunk < shape.chunks; ++chunk)
      for (int stage = 0; stage < shape.stages; ++stage) found.push_back(place_in_model(shape, stage, chunk));
    return found;
  };
  EXPECT_THAT(places({interleaved, 3, 2, 3}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(places({zero_bubble_v, 3, 2, 3}), ElementsAre(0, 1, 2, 5, 4, 3));
  EXPECT_THAT(places({dual_pipe, 4, 2, 8}), ElementsAre(0, 1, 2, 3, 3, 2, 1, 0));
}

TEST(Pipeline, RefusesWhatAScheduleHasNot) {
  const auto refusal = [](const PipelineShape& shape) { return message_of([&] { check(shape); }); };
  EXPECT_EQ(
      refusal({one_forward_one_backward, 4, 2, 8}),
      "virtual_stages: found 2 with schedule \"1f1b\", expected 1; choose the schedule \"interleaved\"");
  EXPECT_EQ(refusal({zero_bubble_v, 4, 1, 8}),
            "virtual_stages: found 1 with schedule \"zb-v\", expected 2; give \"virtual_stages\": 2");
  EXPECT_EQ(refusal({gpipe, 4, 1, 8, 4}),
            "microbatch_group: found 4 with schedule \"gpipe\", expected none; choose the schedule "
            "\"interleaved\"");
  EXPECT_EQ(refusal({gpipe, 0, 1, 8}), "pipeline: found 0, expected at least 1");
  EXPECT_EQ(refusal({interleaved, 1, 2, 8}),
            "pipeline: found 1 with schedule \"interleaved\", expected at least 2 stages; choose \"1f1b\"");
}

TEST(Pipeline, RefusesMicroBatchesThatDoNotFit) {
  const auto refusal = [](const PipelineShape& shape) { return message_of([&] { check(shape); }); };
  EXPECT_EQ(
      refusal({interleaved, 4, 2, 3}),
      "micro_batches: found 3 with schedule \"interleaved\", expected at least the 4 stages; use a larger "
      "global batch, smaller micro-batches or fewer stages");
  EXPECT_EQ(refusal({interleaved, 4, 2, 10}),
            "micro_batches: found 10 = 2 groups of 4 and one of 2, expected a last group of at least the 4 "
            "stages; use a multiple of 4");
  EXPECT_EQ(refusal({interleaved, 4, 2, 8, 9}),
            "microbatch_group: found 9, expected 4 stages to 8 micro-batches");
  EXPECT_EQ(refusal({dual_pipe, 3, 2, 8}),
            "pipeline: found 3 with schedule \"dualpipe\", expected an even number of stages; choose another "
            "degree");
  EXPECT_EQ(refusal({dual_pipe, 4, 2, 9}),
            "micro_batches: found 9 with schedule \"dualpipe\", expected an even number: half from each end; "
            "choose another global batch");
  EXPECT_EQ(
      refusal({dual_pipe, 4, 2, 6}),
      "micro_batches: found 6 with schedule \"dualpipe\", expected at least 2 x 4 stages = 8; use a larger "
      "global batch, smaller micro-batches or fewer stages");
}

}  // namespace
}  // namespace paceline
