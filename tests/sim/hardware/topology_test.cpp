// The rate at which a device sends along the rings of its group, from the links that the node has.
#include "sim/hardware/topology.h"

#include <gtest/gtest.h>

#include "sim/hardware/hardware_catalog.h"

namespace paceline {
namespace {

class GroupLinks : public ::testing::Test {
 protected:
  [[nodiscard]] GroupLink link(const std::string& name, int devices) const {
    const Cluster& cluster = catalog_.cluster(name);
    return group_link(cluster, catalog_.device(cluster.device), devices);
  }
  static double gigabytes(BytesPerSecond rate) { return rate.value() / 1e9; }

  HardwareCatalog catalog_ = HardwareCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios");
};

// Edge-disjoint directed Hamiltonian cycles among GPUs 0 ... n-1 of a DGX-1V, by hand for the small ones:
// n = 2: one link each way, one ring. n = 3: 0-1 has one link, so one cycle each way: 2.
// n = 4: six links, degree 4 at every GPU (0: 1 + 1 + 2), so 4. n = 5: GPU 4 has one neighbour (0): none.
TEST(CubeMesh, RingsOfTheFirstDevices) {
  const int expected[] = {1, 2, 4, 0, 2, 4, 6};
  for (int devices = 2; devices <= 8; ++devices)
    EXPECT_EQ(cube_mesh_rings(devices), expected[devices - 2]) << devices << " devices";
}

// rate = rings x 25 GB/s; five devices: two rings that hop over a GPU, at 0.83.
TEST_F(GroupLinks, ACubeMeshAddsUpItsRings) {
  const double expected[] = {25, 50, 100, 50, 50, 100, 150};
  for (int devices = 2; devices <= 8; ++devices)
    EXPECT_DOUBLE_EQ(gigabytes(link("dgx-1v", devices).raw), expected[devices - 2]) << devices;
  EXPECT_EQ(link("dgx-1v", 5).efficiency, 0.83);
  EXPECT_EQ(link("dgx-1v", 4).efficiency, 1);
}

// Every device reaches the switch with all its links, however many take part: A100 12 x 25 = 300 GB/s,
// H100 18 x 25 = 450 GB/s.
TEST_F(GroupLinks, ASwitchGivesEveryGroupTheSame) {
  for (const int devices : {2, 3, 5, 8}) {
    EXPECT_DOUBLE_EQ(gigabytes(link("dgx-a100-80", devices).raw), 300);
    EXPECT_DOUBLE_EQ(gigabytes(link("dgx-h100", devices).raw), 450);
    EXPECT_EQ(link("dgx-h100", devices).cap, BytesPerSecond(0));
  }
}

// Four links of 14.0625 GB/s between two RTX 3090; a third device is only reached over PCIe 4.0 x16, 31.5
// GB/s.
TEST_F(GroupLinks, ABridgeJoinsAPairAndNoMore) {
  EXPECT_DOUBLE_EQ(gigabytes(link("2x-rtx-3090-nvlink", 2).raw), 56.25);
  EXPECT_DOUBLE_EQ(gigabytes(link("2x-rtx-3090-nvlink", 3).raw), 31.5);
}

// Below one root complex the slot counts; a group that crosses to another one is held to the CPU
// interconnect: 8.8 GB/s on boards of generation 3, 21 on 4.
TEST_F(GroupLinks, RootComplexesCapThePcieGroupsThatCrossThem) {
  EXPECT_EQ(link("4x-v100-ib-100", 4).cap, BytesPerSecond(0));
  EXPECT_DOUBLE_EQ(gigabytes(link("4x-v100-ib-100", 4).raw), 15.75);
  EXPECT_EQ(link("8x-1080ti", 4).cap, BytesPerSecond(0));
  EXPECT_DOUBLE_EQ(gigabytes(link("8x-1080ti", 5).cap), 8.8);
  EXPECT_EQ(link("4x-a100-pcie", 2).cap, BytesPerSecond(0));
  EXPECT_DOUBLE_EQ(gigabytes(link("4x-a100-pcie", 3).cap), 21);
}

TEST_F(GroupLinks, TheClusterMaySayWhatItsRootComplexesLetThrough) {
  Cluster cluster = catalog_.cluster("4x-a100-pcie");
  cluster.interconnect.between_roots = gigabytes_per_second(12);
  EXPECT_DOUBLE_EQ(gigabytes(group_link(cluster, catalog_.device(cluster.device), 4).cap), 12);
}

TEST_F(GroupLinks, WithoutPeerAccessDataGoesThroughTheHost) {
  EXPECT_TRUE(link("2x-rtx-3090", 2).host_staged);
  EXPECT_FALSE(link("2x-rtx-3090-nvlink", 2).host_staged);
  EXPECT_FALSE(link("4x-a100-pcie", 4).host_staged);
}

// Sixteen lanes: 15.75, 31.5, 63 GB/s for generation 3, 4, 5, twice as much from one to the next; lanes in
// proportion.
TEST(PcieRate, DoublesWithTheGenerationAndGoesWithTheLanes) {
  EXPECT_DOUBLE_EQ(pcie_rate(3, 16).value(), 15.75e9);
  EXPECT_DOUBLE_EQ(pcie_rate(4, 16).value(), 31.5e9);
  EXPECT_DOUBLE_EQ(pcie_rate(5, 16).value(), 63e9);
  EXPECT_DOUBLE_EQ(pcie_rate(4, 8).value(), pcie_rate(3, 16).value());
}

}  // namespace
}  // namespace paceline
