// A table of measured collectives in a Profile takes the place of the laws.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

MeasuredCollective row(double bytes, double ms, int ranks = 2, int nodes = 2) {
  MeasuredCollective each;
  each.kind = "all_reduce";
  each.transport = "gloo";
  each.ranks = ranks;
  each.nodes = nodes;
  each.bytes = Bytes(bytes);
  each.time.median = milliseconds(ms);
  return each;
}

class MeasuredAllReduce : public ::testing::Test {
 protected:
  MeasuredAllReduce() { profile_.collectives = {row(4e6, 40), row(1e6, 8.5)}; }

  [[nodiscard]] CollectiveTime time(double bytes, const CollectiveGroup& group = {2, 1},
                                    CollectiveKind kind = CollectiveKind::all_reduce) const {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    return CollectiveCost(hardware, hardware.cluster("cpu-1gbe"), &profile_)
        .collective(kind, Bytes(bytes), group);
  }

  Profile profile_;
};

TEST_F(MeasuredAllReduce, OfAMeasuredSizeIsTheMeasurement) {
  EXPECT_DOUBLE_EQ(time(1e6).total().value(), 8.5e-3);
  EXPECT_EQ(time(1e6).provenance, Provenance::measured);
  EXPECT_EQ(time(1e6).algorithm, "gloo");
}

// Straight on logarithmic axes: half way between 1 and 4 MB is 2 MB, sqrt(8.5 x 40) ms.
TEST_F(MeasuredAllReduce, BetweenTwoSizesIsInterpolated) {
  EXPECT_NEAR(time(2e6).total().value(), std::sqrt(8.5 * 40) * 1e-3, 1e-9);
  EXPECT_EQ(time(2e6).provenance, Provenance::interpolated);
  EXPECT_FALSE(time(2e6).extrapolated);
}

// In proportion to the bytes, and said so.
TEST_F(MeasuredAllReduce, AboveTheLargestSizeIsExtrapolated) {
  EXPECT_NEAR(time(40e6).total().value(), 400e-3, 1e-9);
  EXPECT_TRUE(time(40e6).extrapolated);
  EXPECT_EQ(time(40e6).provenance, Provenance::modelled);
}

TEST_F(MeasuredAllReduce, BelowTheSmallestSizeTakesAsLong) {
  EXPECT_NEAR(time(10).total().value(), 8.5e-3, 1e-9);
}

TEST_F(MeasuredAllReduce, OfAnotherGroupOrKindIsModelled) {
  for (const CollectiveTime& other : {time(1e6, {4, 1}), time(1e6, {2, 1}, CollectiveKind::broadcast)}) {
    EXPECT_EQ(other.provenance, Provenance::modelled);
    EXPECT_EQ(other.algorithm.find("gloo"), std::string::npos);
  }
}

TEST_F(MeasuredAllReduce, OfOneSizeOnlyIsNoTable) {
  profile_.collectives.pop_back();
  EXPECT_EQ(time(4e6).provenance, Provenance::modelled);
}

// Two transports measured on one machine are two tables; a value between them would be neither's.
TEST_F(MeasuredAllReduce, DoesNotMixTransports) {
  MeasuredCollective other = row(2e6, 1);
  other.transport = "shared memory ring";
  profile_.collectives.push_back(other);
  EXPECT_NEAR(time(2e6).total().value(), std::sqrt(8.5 * 40) * 1e-3, 1e-9);
}

}  // namespace
}  // namespace paceline
