#include "probe/cpu/launch.h"

#include "probe/cpu/worker_thread.h"

namespace paceline {
namespace {

constexpr int queued_jobs = 64;

void hand_over_one_by_one(WorkerThread& worker, int repetitions) {
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    worker.submit([] {});
    worker.wait();
  }
}

void hand_over_queued(WorkerThread& worker, int repetitions) {
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (int job = 0; job < queued_jobs; ++job) worker.submit([] {});
    worker.wait();
  }
}

void divide(Measurement& time, double by) {
  for (Seconds* value : {&time.median, &time.median_absolute_deviation, &time.p5, &time.p95})
    *value = *value / by;
}

}  // namespace

void measure_hand_over(const ProbeRun& run, Profile& profile) {
  WorkerThread worker;
  const auto one_by_one = [&](int repetitions) { hand_over_one_by_one(worker, repetitions); };
  const auto queued = [&](int repetitions) { hand_over_queued(worker, repetitions); };
  profile.launches.push_back(
      {"thread hand-over", run.measured("thread hand-over", timed_by(run.clock, one_by_one))});
  Measurement batch = run.measured("thread hand-over, queued", timed_by(run.clock, queued));
  divide(batch, queued_jobs);
  profile.launches.push_back({"thread hand-over, queued", batch});
}

}  // namespace paceline
