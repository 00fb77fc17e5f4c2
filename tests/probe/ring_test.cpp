#include "probe/cpu/ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "probe/cpu/ring_processes.h"
#include "tests/probe/sanitizers.h"

namespace paceline {
namespace {

constexpr std::size_t most_floats = 200'000;

class RingOfProcesses : public ::testing::TestWithParam<int> {};

// Below, at and above one element a rank; one slice is 16384 floats, so the last ones need several, the last
// of them not full, and chunks of unequal size.
TEST_P(RingOfProcesses, SumsEveryElementOnEveryRank) {
  PACELINE_SKIP_UNDER_TSAN();
  RingProcesses ring(GetParam(), most_floats);
  for (const std::size_t floats : {1, 2, 3, 4, 5, 7, 1023, 16384, 65536, 65537, 100'003, 200'000})
    EXPECT_EQ(ring.count_wrong(floats), 0U) << floats << " floats";
}

TEST_P(RingOfProcesses, TakesTime) {
  PACELINE_SKIP_UNDER_TSAN();
  RingProcesses ring(GetParam(), most_floats);
  EXPECT_GT(ring.time(1024, 3), Seconds(0));
  EXPECT_EQ(ring.count_wrong(1025), 0U) << "after timing";
}
INSTANTIATE_TEST_SUITE_P(Ranks, RingOfProcesses, ::testing::Values(1, 2, 3, 4));

TEST(RingProcesses, RefuseMoreThanTheyHaveRoomFor) {
  PACELINE_SKIP_UNDER_TSAN();
  RingProcesses ring(2, 100);
  EXPECT_THROW(ring.count_wrong(101), InputError);
}

std::vector<pid_t> children() {
  const pid_t own = ::getpid();
  std::ifstream stream("/proc/self/task/" + std::to_string(own) + "/children");
  std::vector<pid_t> processes;
  for (pid_t process = 0; stream >> process;) processes.push_back(process);
  return processes;
}

TEST(RingProcesses, SayWhenARankIsKilledAndLeaveNoneBehind) {
  PACELINE_SKIP_UNDER_TSAN();
  {
    RingProcesses ring(3, 1000);
    if (children().size() != 3) GTEST_SKIP() << "this system does not list the children of a process";
    ::kill(children()[1], SIGKILL);
    try {
      ring.count_wrong(1000);
      FAIL() << "no exception";
    } catch (const DeviceError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("rank 1 ended by signal 9"));
    }
  }
  EXPECT_TRUE(children().empty());
}

// The same ring over threads, which the thread sanitizer can watch.
class RingOfThreads : public ::testing::TestWithParam<int> {};

TEST_P(RingOfThreads, SumsAgainAndAgain) {
  const int ranks = GetParam();
  constexpr std::size_t floats = 40'001;
  constexpr int rounds = 3;
  std::vector<std::unique_ptr<Mailbox>> mailboxes;
  for (int rank = 0; rank < ranks; ++rank) mailboxes.push_back(std::make_unique<Mailbox>());
  std::vector<std::vector<float>> data(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      auto& own = data[static_cast<std::size_t>(rank)];
      own.assign(floats, static_cast<float>(rank + 1));
      RingRank ring(rank, ranks, *mailboxes[static_cast<std::size_t>(rank)],
                    *mailboxes[static_cast<std::size_t>((rank + 1) % ranks)]);
      for (int round = 0; round < rounds; ++round) {
        ring.barrier();
        ring.all_reduce(own.data(), floats);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // 1 + 2 + ... + N = N (N + 1) / 2; each further round multiplies by N.
  const double expected = ranks * (ranks + 1) / 2.0 * ranks * ranks;
  for (const auto& values : data) EXPECT_THAT(values, ::testing::Each(static_cast<float>(expected)));
}
INSTANTIATE_TEST_SUITE_P(Ranks, RingOfThreads, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace paceline
