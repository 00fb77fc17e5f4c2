// The works of the benchmarks take what their closed forms say.
#include "tests/bench/works.h"

#include <gtest/gtest.h>

#include <thread>

#include "sim/engine/engine.h"

namespace paceline::bench {
namespace {

class Works : public ::testing::TestWithParam<std::uint32_t> {};

// 2 (N - 1) steps, each 500 ns and (1 GiB / N) / (50 GB/s).
TEST_P(Works, OneRingAllReduce) {
  const double ranks = GetParam();
  const double expected = 2 * (ranks - 1) * (500e-9 + 1073741824 / ranks / 50e9);
  EXPECT_NEAR(run(one_all_reduce(GetParam())).finish, expected, expected * 1e-14);
  EXPECT_NEAR(one_all_reduce_time(GetParam()).value(), expected, expected * 1e-14);
}

// One bucket of 25 MiB takes a = 2 (N - 1) (500 ns + 25 MiB / N / 50 GB/s). The first is ready at 52.5 ms,
// the last at 50 + 40 * 2.5 = 150 ms. If a <= 2.5 ms each is done before the next is ready, and the last ends
// at 150 ms + a; else they queue from the first on and end at 52.5 ms + 40 a. The optimizer adds 5 ms.
TEST_P(Works, DataParallelStep) {
  const double ranks = GetParam();
  const double one = 2 * (ranks - 1) * (500e-9 + 26214400 / ranks / 50e9);
  const double expected = (one <= 0.0025 ? 0.150 + one : 0.0525 + 40 * one) + 0.005;
  EXPECT_NEAR(run(data_parallel_step(GetParam())).finish, expected, expected * 1e-14);
  EXPECT_NEAR(data_parallel_step_time(GetParam()).value(), expected, expected * 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Ranks, Works, ::testing::Values(2, 8, 64, 512, 4096, 16384));

TEST(Works, UnfoldedTheyTakeTheSame) {
  EXPECT_EQ(run(one_all_reduce(64)).finish, run(unfold(one_all_reduce(64))).finish);
  EXPECT_EQ(run(data_parallel_step(64)).finish, run(unfold(data_parallel_step(64))).finish);
  EXPECT_EQ(run(many_kernels(16, 64, 0.1)).finish, run(unfold(many_kernels(16, 64, 0.1))).finish);
}

TEST(Works, RunsInSeveralThreadsAtOnceGiveTheSameTimes) {
  const Program program = unfold(many_kernels(16, 256, 0.1));
  std::vector<Schedule> schedules(4);
  std::vector<std::thread> threads;
  for (Schedule& schedule : schedules) threads.emplace_back([&] { schedule = run(program); });
  for (std::thread& thread : threads) thread.join();
  for (const Schedule& schedule : schedules) {
    EXPECT_EQ(schedule.start, schedules.front().start);
    EXPECT_EQ(schedule.end, schedules.front().end);
    EXPECT_EQ(schedule.all_present, schedules.front().all_present);
  }
}

}  // namespace
}  // namespace paceline::bench
