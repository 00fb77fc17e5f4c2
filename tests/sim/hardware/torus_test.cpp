// All-reduce along the dimensions of a torus.
#include "sim/hardware/torus.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TorusDimension dimension(int size, bool wrap = true, double gigabytes = 45) {
  return {size, wrap, gigabytes_per_second(gigabytes)};
}
double gigabytes(const Torus& torus) { return torus_ring_rate(torus).value() / 1e9; }

// A ring of n devices, both directions: 2 x 45 GB/s. Three equal dimensions: 6 links x 45 = 270 GB/s.
TEST(TorusRate, IsThatOfAllLinksOfEqualDimensions) {
  EXPECT_NEAR(gigabytes({dimension(8)}), 90, 1e-9);
  EXPECT_NEAR(gigabytes({dimension(16), dimension(16)}), 180, 1e-9);
  EXPECT_NEAR(gigabytes({dimension(16), dimension(16), dimension(16)}), 270, 1e-9);
  EXPECT_NEAR(gigabytes({dimension(4), dimension(4), dimension(4)}), 270, 1e-9);
}

// 4 x 16, halves of the message: along the first dimension 1/2 (3/4) + 1/2 (1/16)(3/4) = 0.3984, along the
// second 1/2 (1/4)(15/16) + 1/2 (15/16) = 0.5859, which decides: (63/64) / 0.5859 x 90 = 151.2 GB/s.
TEST(TorusRate, IsHeldUpByTheLongerDimension) {
  EXPECT_NEAR(gigabytes({dimension(4), dimension(16)}), 151.2, 0.001);
}

// Without the wrapping link a row moves its data one way round only: half.
TEST(TorusRate, HalvesWithoutWrap) {
  EXPECT_NEAR(gigabytes({dimension(4, false), dimension(4, false)}), 90, 1e-9);
  // Two devices are a pair with one link, wrapped or not: 45 GB/s.
  EXPECT_NEAR(gigabytes({dimension(2)}), 45, 1e-9);
}

// 8 x 8 with links of 45 and 15 GB/s: the same load 1/2 (7/8)(1 + 1/8) = 0.4922 on both, the slow one
// decides: (63/64) / 0.4922 x 30 = 60 GB/s.
TEST(TorusRate, IsHeldUpByTheSlowestLinks) {
  EXPECT_NEAR(gigabytes({dimension(8, true, 45), dimension(8, true, 15)}), 60, 1e-9);
}

TEST(TorusRate, IgnoresDimensionsOfOneDevice) {
  EXPECT_EQ(gigabytes({dimension(8), dimension(1)}), gigabytes({dimension(8)}));
  EXPECT_EQ(gigabytes({dimension(1)}), 0);
}

// Of 4 x 4 x 4, device 15 is the last of the first layer; two layers are 4 x 4 x 2 without wrap.
TEST(LeadingBox, IsWholeDimensionsAndAStretchOfTheNext) {
  const Torus torus{dimension(4), dimension(4), dimension(4)};
  EXPECT_EQ(device_count(torus), 64);
  EXPECT_EQ(leading_box(torus, 64).size(), 3U);
  EXPECT_TRUE(leading_box(torus, 64).back().wrap);
  EXPECT_EQ(leading_box(torus, 16).size(), 2U);
  const Torus two = leading_box(torus, 32);
  ASSERT_EQ(two.size(), 3U);
  EXPECT_EQ(two[2].size, 2);
  EXPECT_FALSE(two[2].wrap);
  EXPECT_TRUE(leading_box(torus, 18).empty());
}

}  // namespace
}  // namespace paceline
