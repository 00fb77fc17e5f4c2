// What holds for every schedule of every size.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "tests/sim/strategy/pipeline_run.h"

namespace paceline {
namespace {

PipelineShape random_shape() {
  PipelineShape shape;
  shape.schedule = static_cast<PipelineSchedule>(*rc::gen::inRange(0, 6));
  shape.stages = *rc::gen::inRange(1, 10);
  shape.micro_batches = *rc::gen::inRange(1, 40);
  if (shape.schedule == PipelineSchedule::interleaved) {
    shape.stages = std::max(shape.stages, 2);
    shape.chunks = *rc::gen::inRange(1, 5);
    shape.group = shape.stages + *rc::gen::inRange(0, 4);
    const int rest = *rc::gen::inRange(0, 2) * *rc::gen::inRange(shape.stages, shape.group + 1);
    shape.micro_batches = *rc::gen::inRange(1, 4) * shape.group + rest;
  }
  if (shape.schedule == PipelineSchedule::zero_bubble_v) shape.chunks = 2;
  if (shape.schedule == PipelineSchedule::dual_pipe) {
    shape.chunks = 2;
    shape.stages *= 2;
    shape.micro_batches = 2 * (shape.stages + shape.micro_batches);
  }
  return shape;
}

StageTimes random_times() {
  const auto time = [] { return static_cast<double>(*rc::gen::inRange(1, 20)); };
  return {time(), time(), time()};
}

RC_GTEST_PROP(Pipeline, EveryMicroBatchPassesForwardAndBackwardOnce, ()) {
  const PipelineShape shape = random_shape();
  const bool dual = shape.schedule == PipelineSchedule::dual_pipe;
  for (const auto& tasks : tasks_of_stages(shape)) {
    std::map<std::tuple<StageWork, int, int>, int> count;
    std::size_t backwards = 0;
    for (const StageTask& task : tasks) {
      const auto times = [&](StageWork work) { return count[{work, task.chunk, task.micro_batch}]; };
      RC_ASSERT(times(task.work) == 0);
      ++count[{task.work, task.chunk, task.micro_batch}];
      if (task.work != StageWork::forward) RC_ASSERT(times(StageWork::forward) == 1);
      if (task.work == StageWork::backward_weight) RC_ASSERT(times(StageWork::backward_input) == 1);
      if (task.work == StageWork::backward_input) RC_ASSERT(times(StageWork::backward) == 0);
      if (task.work == StageWork::backward || task.work == StageWork::backward_weight) ++backwards;
    }
    const auto each = static_cast<std::size_t>(shape.micro_batches * (dual ? 1 : shape.chunks));
    RC_ASSERT(backwards == each);
    RC_ASSERT(std::count_if(tasks.begin(), tasks.end(), [](const StageTask& task) {
                return task.work == StageWork::forward;
              }) == static_cast<std::ptrdiff_t>(each));
  }
}

// No stage waits for ever, whatever the times; the step is no shorter than the work of a stage.
RC_GTEST_PROP(Pipeline, RunsToItsEnd, ()) {
  const PipelineShape shape = random_shape();
  const StageTimes times = random_times();
  const PipelineRun run(shape, times);
  RC_ASSERT(run.ended());
  RC_ASSERT(run.makespan() >= shape.micro_batches * times.all() - 1e-9);
  RC_ASSERT(run.bubble() >= -1e-9);
}

RC_GTEST_PROP(Pipeline, EveryPlaceOfTheModelIsSomewhere, ()) {
  const PipelineShape shape = random_shape();
  std::vector<int> times(static_cast<std::size_t>(places_in_model(shape)));
  for (int stage = 0; stage < shape.stages; ++stage)
    for (int chunk = 0; chunk < shape.chunks; ++chunk)
      ++times.at(static_cast<std::size_t>(place_in_model(shape, stage, chunk)));
  const int copies = shape.schedule == PipelineSchedule::dual_pipe ? 2 : 1;
  RC_ASSERT(std::all_of(times.begin(), times.end(), [&](int each) { return each == copies; }));
}

// With no less than p micro-batches: 1F1B (p - 1)(F + B); ZB-H1 never more.
RC_GTEST_PROP(Pipeline, ZeroBubbleH1IsNoSlowerThanOneForwardOneBackward, ()) {
  PipelineShape shape{.stages = *rc::gen::inRange(1, 10)};
  shape.micro_batches = shape.stages + *rc::gen::inRange(0, 30);
  const StageTimes times = random_times();
  const double plain = PipelineRun(shape, times).bubble();
  RC_ASSERT(plain == (shape.stages - 1) * times.all());
  shape.schedule = PipelineSchedule::zero_bubble_h1;
  RC_ASSERT(PipelineRun(shape, times).bubble() <= plain);
}

}  // namespace
}  // namespace paceline
