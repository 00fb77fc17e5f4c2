#include "probe/cpu/worker_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

namespace paceline {
namespace {

TEST(WorkerThread, RunsJobsInOrderBeforeWaitReturns) {
  WorkerThread worker;
  std::vector<int> order;
  for (int job = 0; job < 5; ++job) worker.submit([&order, job] { order.push_back(job); });
  worker.wait();
  EXPECT_THAT(order, ::testing::ElementsAre(0, 1, 2, 3, 4));
  worker.submit([&order] { order.push_back(5); });
  worker.wait();
  EXPECT_EQ(order.size(), 6U);
}

TEST(WorkerThread, RunsWhatIsQueuedBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    WorkerThread worker;
    for (int job = 0; job < 100; ++job) worker.submit([&done] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(WorkerTeam, GivesEachWorkerItsNumber) {
  WorkerTeam team(4);
  std::vector<int> calls(4, 0);
  for (int round = 0; round < 3; ++round)
    team.run([&](int worker) { ++calls[static_cast<std::size_t>(worker)]; });
  EXPECT_THAT(calls, ::testing::ElementsAre(3, 3, 3, 3));
}

}  // namespace
}  // namespace paceline
