// Rings over links of any shape: edge-disjoint directed Hamiltonian cycles.
#include "sim/hardware/ring_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/hardware/link_matrix.h"

namespace paceline {
namespace {

LinkCounts all_pairs(std::size_t devices, int links) {
  LinkCounts counts(devices, std::vector<int>(devices, links));
  for (std::size_t a = 0; a < devices; ++a) counts[a][a] = 0;
  return counts;
}

// Devices in a ring of single links, as a torus dimension.
LinkCounts circle(std::size_t devices) {
  LinkCounts counts(devices, std::vector<int>(devices, 0));
  for (std::size_t a = 0; a < devices; ++a) counts[a][(a + 1) % devices] = counts[(a + 1) % devices][a] = 1;
  return counts;
}

TEST(Rings, OfACubeMeshByTheNumberOfDevices) {
  const LinkMatrix mesh(cube_mesh_links());
  const int expected[] = {1, 2, 4, 2, 2, 4, 6};
  for (int devices = 2; devices <= 8; ++devices) {
    EXPECT_EQ(mesh.rings(devices).rings, expected[devices - 2]) << devices;
    // GPU 4 has one neighbour among 0 ... 3: two rings, one a link to it, go in and out over GPU 0.
    EXPECT_EQ(mesh.rings(devices).hopping, devices == 5) << devices;
  }
  EXPECT_EQ(mesh.most_links(), 6);
}

// Every device has (n-1) x links ways out and each ring takes one: that many rings, but for n = 4 and 6 with
// an odd number of links one fewer.
TEST(Rings, OfAllPairsUseEveryLink) {
  EXPECT_EQ(count_rings(all_pairs(2, 4), 2).rings, 4);
  EXPECT_EQ(count_rings(all_pairs(4, 4), 4).rings, 12);  // A100: 12 links, 4 to each of three others
  EXPECT_EQ(count_rings(all_pairs(4, 4), 3).rings, 8);
  EXPECT_EQ(count_rings(all_pairs(4, 1), 4).rings, 2);
  EXPECT_EQ(count_rings(all_pairs(4, 3), 4).rings, 8);
  EXPECT_EQ(count_rings(all_pairs(8, 1), 8).rings, 7);  // MI300X: seven links, one to each other
  EXPECT_EQ(count_rings(all_pairs(16, 1), 16).rings, 15);
}

// One undirected cycle, run both ways.
TEST(Rings, OfACircleAreTwo) {
  for (const std::size_t devices : {3U, 5U, 8U, 12U, 16U})
    EXPECT_EQ(count_rings(circle(devices), static_cast<int>(devices)).rings, 2) << devices;
}

// 0-1 and 2-3 only: no path from one pair to the other, directly or over a third.
TEST(Rings, OfSeparatePairsDoNotExist) {
  LinkCounts pairs(4, std::vector<int>(4, 0));
  pairs[0][1] = pairs[1][0] = pairs[2][3] = pairs[3][2] = 4;
  EXPECT_EQ(count_rings(pairs, 4).rings, 0);
  EXPECT_FALSE(count_rings(pairs, 4).hopping);
  EXPECT_EQ(count_rings(pairs, 2).rings, 4);
}

// A chain 0-1-2 with two links each: the way back from 2 to 0 hops over 1, and 1 has two links to each side.
TEST(Rings, HopOverADeviceWhereNoCycleExists) {
  LinkCounts chain(3, std::vector<int>(3, 0));
  chain[0][1] = chain[1][0] = chain[1][2] = chain[2][1] = 2;
  EXPECT_EQ(count_rings(chain, 3).rings, 2);
  EXPECT_TRUE(count_rings(chain, 3).hopping);
}

// Never more rings than the scarcest device has links, and one link more never costs a ring that was found
// exactly (n <= 5, where the search ends by itself).
TEST(Rings, AreBoundByTheScarcestDeviceAndGrowWithLinks) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 3 + random() % 3;
    LinkCounts links(n, std::vector<int>(n, 0));
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b) links[a][b] = links[b][a] = static_cast<int>(random() % 3);
    const RingCount before = count_rings(links, static_cast<int>(n));
    int scarcest = 99;
    for (const auto& row : links) {
      int out = 0;
      for (const int count : row) out += count;
      scarcest = std::min(scarcest, out);
    }
    EXPECT_LE(before.rings, scarcest);
    ++links[0][1], ++links[1][0];
    const RingCount after = count_rings(links, static_cast<int>(n));
    if (before.hopping == after.hopping) {
      EXPECT_GE(after.rings, before.rings) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace paceline
