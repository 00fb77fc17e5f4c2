// What oversubscribed networks let through, by hand and as properties.
#include "sim/hardware/fabric.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

Cluster cluster_of(const FabricShape& shape, int nics = 8) {
  Cluster cluster;
  cluster.network = Network{"infiniband", nics, gigabytes_per_second(50), shape};
  cluster.max_nodes = 4096;
  return cluster;
}
double share(const FabricShape& shape, int nodes, Traffic traffic, int nics = 8) {
  return fabric_share(cluster_of(shape, nics), nodes, traffic);
}
constexpr std::array<Traffic, 4> patterns{Traffic::ring, Traffic::tree, Traffic::all_to_all,
                                          Traffic::rail_aligned};

TEST(FabricShare, IsOneForASingleSwitchANodeAndNoNetwork) {
  for (const Traffic traffic : patterns) {
    EXPECT_EQ(share(SingleSwitch{}, 64, traffic), 1);
    EXPECT_EQ(share(LeafSpine{4, 8}, 1, traffic), 1);
    EXPECT_EQ(fabric_share(Cluster{}, 1, traffic), 1);
  }
}

// In order, one flow leaves each leaf of 16 nodes, whose uplinks carry 16 / 4 = 4 nodes: nothing is held up.
// Only when the uplinks carry less than one node, 4 / 8 = 0.5, does the ring feel it.
TEST(FabricShare, OfARingInOrderIsOneUntilALeafCarriesLessThanOneNode) {
  EXPECT_EQ(share(LeafSpine{16, 4}, 64, Traffic::ring), 1);
  EXPECT_EQ(share(LeafSpine{4, 8}, 64, Traffic::ring), 0.5);
  // Within one leaf no uplink is used.
  EXPECT_EQ(share(LeafSpine{4, 8}, 4, Traffic::ring), 1);
}

// Nodes alternating between two leaves: all 4 flows of a leaf leave it, over uplinks of 4 / 2 = 2 nodes: 1/2.
TEST(FabricShare, OfARingOutOfOrderIsThatOfItsCrossings) {
  const Cluster cluster = cluster_of(LeafSpine{4, 2});
  EXPECT_EQ(fabric_share(cluster, {0, 4, 1, 5, 2, 6, 3, 7}, Traffic::ring), 0.5);
  EXPECT_EQ(fabric_share(cluster, {0, 1, 2, 3, 4, 5, 6, 7}, Traffic::ring), 1);
}

// 4 leaves of 16: each node sends 48/63 of its data to other leaves; 16 x 48/63 = 12.19 over 16 / 2 = 8
// nodes' worth of uplinks: 0.65625.
TEST(FabricShare, OfAllToAllIsHeldUpByWhatLeavesALeaf) {
  EXPECT_NEAR(share(LeafSpine{16, 2}, 64, Traffic::all_to_all), 8.0 / (16 * 48.0 / 63), 1e-12);
  EXPECT_EQ(share(LeafSpine{16, 1}, 64, Traffic::all_to_all), 1);
}

// 16 nodes below one group of rails: all-to-all over all NICs keeps 1/8 below each leaf, 16 (1 - 1/8) = 14
// over uplinks of 16 / 4 = 4: 2/7. Rail by rail nothing leaves a leaf.
TEST(FabricShare, OfRailsIsOneWhenTrafficKeepsToThem) {
  EXPECT_NEAR(share(RailOptimized{16, 4}, 16, Traffic::all_to_all), 2.0 / 7, 1e-12);
  EXPECT_EQ(share(RailOptimized{16, 4}, 16, Traffic::rail_aligned), 1);
  EXPECT_EQ(share(RailOptimized{16, 4}, 16, Traffic::ring), 1);
  // Two groups of 16: rail by rail 16 x 16/31 leave a leaf.
  EXPECT_NEAR(share(RailOptimized{16, 4}, 32, Traffic::rail_aligned), 4 / (16 * 16.0 / 31), 1e-12);
}

// Pods of 4 edges x 4 nodes: a pod's uplinks carry 16 / (2 x 2) = 4 nodes, an edge's 4 / 2 = 2. All-to-all
// over 64: an edge sends 4 x 60/63, a pod 16 x 48/63 = 12.19: the pod decides, 0.328.
TEST(FabricShare, OfAFatTreeIsThatOfItsScarcestLevel) {
  EXPECT_NEAR(share(FatTree{4, 4, 2, 2}, 64, Traffic::all_to_all), 4 / (16 * 48.0 / 63), 1e-12);
  EXPECT_NEAR(share(FatTree{4, 4, 2, 1}, 64, Traffic::all_to_all), 2 / (4 * 60.0 / 63), 1e-12);
  EXPECT_EQ(share(FatTree{4, 4, 2, 2}, 64, Traffic::ring), 1);
}

// Two groups of two routers with one node and one global link each; NICs and links of one rate. In a ring
// 0 1 2 3 the flow 1 -> 2 changes group, half of it over router 1's link (then 3 -> 2), half over router 0's
// (first 1 -> 0); 3 -> 0 likewise. So every local link carries 1 and every global link 1/2: share 1.
TEST(FabricShare, OfASmallDragonflyByHand) {
  const Dragonfly shape{2, 2, 1, 1, gigabytes_per_second(50)};
  EXPECT_EQ(share(shape, 4, Traffic::ring, 1), 1);
  // With two NICs a node sends twice what a link between routers carries.
  EXPECT_EQ(share(shape, 4, Traffic::ring, 2), 0.5);
  // All-to-all: every node sends 1/3 to each. A global link: 4 pairs x 1/3 / 2 links = 2/3. A local link
  // 0 -> 1: 1/3 directly, half of 0's 2/3 to the other group, half of the 2/3 that arrive for 1: 1.
  EXPECT_NEAR(share(shape, 4, Traffic::all_to_all, 1), 1, 1e-12);
  EXPECT_NEAR(share(shape, 4, Traffic::all_to_all, 2), 0.5, 1e-12);
}

TEST(FabricShare, NeedsAPlaceForEveryNode) {
  const Dragonfly shape{2, 2, 1, 1, gigabytes_per_second(50)};
  for (const Traffic traffic : patterns)
    EXPECT_EQ(test::refusal([&] { return share(shape, 5, traffic); }),
              "nodes: found 5, expected at most 4; the dragonfly has no more places; choose fewer nodes");
}

// Two nodes: each half of the data crosses once each way, one node's worth in both directions; below two
// leaves whose uplinks carry 1 / 2: 0.5.
TEST(FabricShare, OfATreeOfTwoNodes) { EXPECT_EQ(share(LeafSpine{1, 2}, 2, Traffic::tree), 0.5); }

// In (0, 1], and more oversubscription is never faster, whatever the placement.
TEST(FabricShare, FallsWithOversubscription) {
  std::mt19937 random(3);
  std::vector<int> nodes(48);
  std::iota(nodes.begin(), nodes.end(), 0);
  for (int round = 0; round < 40; ++round) {
    std::shuffle(nodes.begin(), nodes.end(), random);
    const std::vector<int> group(nodes.begin(), nodes.begin() + 2 + static_cast<int>(random() % 46));
    const int hosts = 1 + static_cast<int>(random() % 12);
    for (const Traffic traffic : patterns) {
      double before_leaf = 1, before_rail = 1, before_tree = 1;
      for (const double over : {1.0, 1.5, 3.0, 10.0}) {
        const auto at_most = [&](const FabricShape& shape, double& before) {
          const double now = fabric_share(cluster_of(shape), group, traffic);
          EXPECT_GT(now, 0);
          EXPECT_LE(now, before);
          before = now;
        };
        at_most(LeafSpine{hosts, over}, before_leaf);
        at_most(RailOptimized{hosts, over}, before_rail);
        at_most(FatTree{hosts, 2, over, over}, before_tree);
      }
    }
  }
}

// Without oversubscription a leaf passes on what its nodes send: any traffic, any order.
TEST(FabricShare, IsOneWithoutOversubscription) {
  std::vector<int> nodes(40);
  std::iota(nodes.begin(), nodes.end(), 0);
  std::shuffle(nodes.begin(), nodes.end(), std::mt19937(5));
  for (const Traffic traffic : patterns) {
    EXPECT_NEAR(fabric_share(cluster_of(LeafSpine{7, 1}), nodes, traffic), 1, 1e-12);
    EXPECT_NEAR(fabric_share(cluster_of(RailOptimized{7, 1}), nodes, traffic), 1, 1e-12);
    EXPECT_NEAR(fabric_share(cluster_of(FatTree{3, 3, 1, 1}), nodes, traffic), 1, 1e-12);
  }
}

}  // namespace
}  // namespace paceline
