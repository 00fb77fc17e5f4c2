// Time of collectives against measured and separately calculated figures.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

CollectiveCost cost_of(const std::string& cluster, const Profile* profile = nullptr) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  return {hardware, hardware.cluster(cluster), profile};
}

double all_reduce_ms(const std::string& cluster, double bytes, int ranks, int per_node,
                     const CollectiveSettings& settings = {}) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  return CollectiveCost(hardware, hardware.cluster(cluster), nullptr, settings)
             .collective(CollectiveKind::all_reduce, Bytes(bytes), {ranks, per_node})
             .total()
             .value() *
         1e3;
}

// Ring of eight, raw 6 x 25 = 150 GB/s, E = 0.96 x 150 = 144 GB/s, V = 14/8 S. Of S = 102,228,128 B:
// 6.7 + 11.6 + 14 x 3.2 = 63.1 us, V / E (1 + 0.31 / 14) = 1.270 ms, fill 0.07 V / E = 0.087 ms: 1.420 ms.
// 1 %: the table has three digits. Of S = 8,196,000 B the library takes LL128: 6.7 + 5.2 + 14 x 2.4 = 45.5 us
// and V / (0.59 x 150 GB/s) = 162.1 us.
TEST(AllReduce, OfEightV100OnACubeMesh) {
  EXPECT_NEAR(all_reduce_ms("dgx-1v", 8196000, 8, 8), 0.2076, 0.002);
  EXPECT_NEAR(all_reduce_ms("dgx-1v", 31502336, 8, 8), 0.481, 0.005);
  EXPECT_NEAR(all_reduce_ms("dgx-1v", 102228128, 8, 8), 1.420, 0.014);
}

// Two nodes, one 100 Gb/s port each, W = 0.967 x 12.5 GB/s: a tree sends S once each way and fills the
// pipeline with 0.11 min(2 S, 270 MB) / W; it starts in 6.7 + 11.6 + 2 (7 x 3.2 + 26) = 115.1 us.
TEST(AllReduce, OfSixteenV100InTwoNodes) {
  CollectiveSettings trees;
  trees.algorithms = {Algorithm::tree};
  trees.protocols = {Protocol::simple};
  for (const double size : {31502336.0, 102228128.0, 440e6}) {
    const double wire = (size + 0.11 * std::min(2 * size, 270e6)) / (0.967 * 12.5e9);
    EXPECT_NEAR(all_reduce_ms("8x-v100-nvlink-ib-100", size, 16, 8, trees), 0.1151 + wire * 1e3, 1e-6);
  }
}

// Bus bandwidth V / t of 1 GiB, all-reduce of eight: measured plateaus. H100 with in-switch reduction 480
// GB/s and without 360; A100 ring 235. 10 %: tables of the same machine differ by as much.
TEST(AllReduce, ReachesTheMeasuredPlateauOfAMachine) {
  const double volume = 14.0 / 8 * (1 << 30);
  EXPECT_NEAR(volume / all_reduce_ms("dgx-h100", 1 << 30, 8, 8) * 1e-6, 480, 48);
  EXPECT_NEAR(volume / all_reduce_ms("dgx-a100-80", 1 << 30, 8, 8) * 1e-6, 235, 24);
}

TEST(Collective, OfOneRankOrNoBytesTakesNoTime) {
  const CollectiveCost cost = cost_of("dgx-1v");
  EXPECT_EQ(cost.collective(CollectiveKind::all_reduce, mebibytes(1), {1, 8}).total(), Seconds(0));
  EXPECT_EQ(cost.collective(CollectiveKind::broadcast, Bytes(0), {8, 8}).total(), Seconds(0));
}

// An all-reduce is a reduce-scatter and an all-gather: 2 (n - 1) steps against n - 1 each.
TEST(Collective, HalvesOfAnAllReduceMoveHalfOfItsBytes) {
  const CollectiveCost cost = cost_of("dgx-1v");
  const auto whole = cost.collective(CollectiveKind::all_reduce, mebibytes(256), {8, 8});
  const auto gather = cost.collective(CollectiveKind::all_gather, mebibytes(256), {8, 8});
  ASSERT_EQ(whole.algorithm, "ring");
  EXPECT_DOUBLE_EQ(gather.wire.value() * 2, whole.wire.value());
  EXPECT_LT(gather.total(), whole.total());
}

TEST(Collective, SmallMessagesUseLowLatencyAndLargeOnesTheFullRate) {
  const CollectiveCost cost = cost_of("dgx-a100-80");
  EXPECT_EQ(cost.collective(CollectiveKind::all_reduce, kibibytes(4), {8, 8}).protocol, "LL");
  EXPECT_EQ(cost.collective(CollectiveKind::all_reduce, gibibytes(1), {8, 8}).protocol, "Simple");
}

TEST(Collective, AcrossNodesWithoutANetworkIsRefused) {
  EXPECT_EQ(
      test::refusal([] {
        return cost_of("2x-rtx-3090").collective(CollectiveKind::all_reduce, mebibytes(1), {4, 2});
      }),
      "devices: found 4 on 2 nodes of 2x-rtx-3090, expected a cluster with a network between its nodes; "
      "choose a cluster with a network");
}

}  // namespace
}  // namespace paceline
