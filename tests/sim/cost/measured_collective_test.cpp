// A table of measured collectives in a Profile takes the place of the laws.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

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

// A table of a device library bends the law: a machine that is 1.2 times slow at 1 and 1.5 times at 16 MiB is
// sqrt(1.2 x 1.5) times slow at 4 MiB.
class BentLaw : public ::testing::Test {
 protected:
  BentLaw() {
    for (const auto& [size, factor] : {std::pair{1.0, 1.2}, std::pair{16.0, 1.5}}) {
      MeasuredCollective each = row(size * 1048576, 0, 8, 1);
      each.transport = "nccl";
      each.time.median = law(size) * factor;
      profile_.collectives.push_back(each);
    }
  }
  [[nodiscard]] static CollectiveTime ask(double mebi, const Profile* profile) {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    return CollectiveCost(hardware, hardware.cluster("dgx-a100-80"), profile)
        .collective(CollectiveKind::all_reduce, mebibytes(mebi), {8, 8});
  }
  [[nodiscard]] static Seconds law(double mebi) { return ask(mebi, nullptr).total(); }
  [[nodiscard]] double ratio(double mebi) const { return ask(mebi, &profile_).total() / law(mebi); }

  Profile profile_;
};

TEST_F(BentLaw, BetweenTheSizesTheRatioIsInterpolated) {
  EXPECT_NEAR(ratio(1), 1.2, 1e-12);
  EXPECT_NEAR(ratio(4), std::sqrt(1.2 * 1.5), 1e-12);
  EXPECT_EQ(ask(4, &profile_).provenance, Provenance::interpolated);
  EXPECT_FALSE(ask(4, &profile_).extrapolated);
}

TEST_F(BentLaw, BeyondTheSizesTheRatioHoldsAndIsSaidToBeExtrapolated) {
  EXPECT_NEAR(ratio(0.25), 1.2, 1e-12);
  EXPECT_NEAR(ratio(256), 1.5, 1e-12);
  for (const double mebi : {0.25, 256.0}) {
    EXPECT_TRUE(ask(mebi, &profile_).extrapolated);
    EXPECT_EQ(ask(mebi, &profile_).provenance, Provenance::modelled);
  }
}

}  // namespace
}  // namespace paceline
