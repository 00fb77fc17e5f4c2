// Measures for real, for a moment: that figures are possible, not that they are good.
#include "probe/cpu/cpu_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "probe/cpu/collectives.h"
#include "probe/cpu/gemm.h"
#include "probe/cpu/machine.h"
#include "probe/cpu/memory.h"
#include "tests/probe/sanitizers.h"

namespace paceline {
namespace {

Machine machine_with(int cpus, Bytes cache, Bytes memory) { return {"test", cpus, cache, memory, 0}; }

TEST(MemorySizes, ReachFourTimesTheLastCache) {
  // 4 * 32 MiB = 128 MiB, from 2 CPUs * 24 KiB in steps of 4: 48 KiB, 192 KiB, 768 KiB, 3 MiB, 12 MiB, 48
  // MiB.
  const auto sizes = memory_sizes(machine_with(2, mebibytes(32), gibibytes(8)), false, gibibytes(2));
  EXPECT_THAT(sizes, ::testing::ElementsAre(kibibytes(48), kibibytes(192), kibibytes(768), mebibytes(3),
                                            mebibytes(12), mebibytes(48), mebibytes(128)));
}

TEST(MemorySizes, StayWithinTheLimitAndHalfOfFreeMemory) {
  EXPECT_EQ(memory_sizes(machine_with(2, mebibytes(260), gibibytes(8)), false, mebibytes(512)).back(),
            mebibytes(512));
  EXPECT_EQ(memory_sizes(machine_with(2, mebibytes(260), mebibytes(100)), false, mebibytes(512)).back(),
            mebibytes(50));
}

TEST(RingSizes, ArePowersOfTwoUpToTheCpusUnlessAskedFor) {
  ProbeRequest request;
  EXPECT_THAT(ring_sizes(request, machine_with(1, mebibytes(1), gibibytes(1))), ::testing::ElementsAre(2));
  EXPECT_THAT(ring_sizes(request, machine_with(12, mebibytes(1), gibibytes(1))),
              ::testing::ElementsAre(2, 4, 8));
  request.ranks = 3;
  EXPECT_THAT(ring_sizes(request, machine_with(12, mebibytes(1), gibibytes(1))), ::testing::ElementsAre(3));
}

ProbeRun brief_run(std::set<Part> parts) {
  ProbeRun run;
  run.request = quick_request();
  run.request.parts = std::move(parts);
  run.request.effort.warm_up_limit = Seconds(0);
  run.request.effort.budget = milliseconds(2);
  run.request.effort.least_sample = microseconds(50);
  run.request.memory_limit = mebibytes(8);
  return run;
}

template <class Item>
void expect_sound(const std::vector<Item>& items) {
  ASSERT_FALSE(items.empty());
  for (const Item& item : items) {
    EXPECT_GT(item.time.median, Seconds(0));
    EXPECT_LE(item.time.p5, item.time.median);
    EXPECT_GE(item.time.p95, item.time.median);
    EXPECT_GE(item.time.samples, 3);
  }
}

TEST(CpuProbe, ProductsAreNoFasterThanAnyProcessorCouldBe) {
  PACELINE_SKIP_UNDER_TSAN();
  const Profile profile = probe_cpu(brief_run({Part::gemm}));
  expect_sound(profile.gemms);
  EXPECT_EQ(profile.gemms.size(), 2 * gemm_shapes(true).size());
  // Two 512-bit fused multiply-adds a cycle are 64 fp32 FLOP; doubled for matrix units to come, at 8 GHz.
  const double bound = 128 * 8e9 * this_machine().cpus;
  for (const auto& gemm : profile.gemms) {
    const double flops =
        2.0 * static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k);
    EXPECT_LT(flops / gemm.time.median.value(), bound) << gemm.precision << " " << gemm.m;
  }
}

TEST(CpuProbe, MemoryAndCopiesHaveARate) {
  const Profile profile = probe_cpu(brief_run({Part::memory, Part::copies}));
  expect_sound(profile.memory);
  expect_sound(profile.copies);
  EXPECT_TRUE(profile.gemms.empty());
  for (const auto& memory : profile.memory) {
    EXPECT_LE(memory.bytes, mebibytes(8));
    // 512 bytes a cycle and CPU at 8 GHz.
    EXPECT_LT((memory.bytes / memory.time.median).value(), 512 * 8e9 * this_machine().cpus)
        << memory.operation;
  }
}

TEST(CpuProbe, CollectivesAndHandOversTakeTime) {
  PACELINE_SKIP_UNDER_TSAN();
  ProbeRun run = brief_run({Part::collectives, Part::launch});
  run.request.ranks = 3;
  std::vector<std::string> told;
  run.progress = [&told](const std::string& what) { told.push_back(what); };
  const Profile profile = probe_cpu(run);
  expect_sound(profile.collectives);
  expect_sound(profile.launches);
  EXPECT_EQ(profile.collectives.front().bytes, kibibytes(4));
  EXPECT_EQ(profile.collectives.back().bytes, mebibytes(16));
  for (const auto& collective : profile.collectives) EXPECT_EQ(collective.ranks, 3);
  EXPECT_EQ(told.size(), profile.collectives.size() + profile.launches.size());
}

TEST(CpuProbe, HandsOverBetweenThreads) {
  const Profile profile = probe_cpu(brief_run({Part::launch}));
  expect_sound(profile.launches);
  EXPECT_EQ(profile.backend, "cpu");
  EXPECT_EQ(profile.date.size(), std::string("2026-01-31T12:00:00Z").size());
}

TEST(CpuProbe, ItsProfileCanBeReadBack) {
  const std::string file = ::testing::TempDir() + "paceline-cpu-probe-test.json";
  const Profile written = probe_cpu(brief_run({Part::launch, Part::copies}));
  write_profile(written, file);
  EXPECT_EQ(to_json(read_profile(file)), to_json(written));
  ::remove(file.c_str());
}

}  // namespace
}  // namespace paceline
