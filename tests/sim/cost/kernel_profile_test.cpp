// Measured matrix products take the place of the model for their shape, and correct it for shapes nearby.
#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

MeasuredGemm gemm(std::int64_t m, std::int64_t n, std::int64_t k, double us,
                  const std::string& precision = "fp32") {
  MeasuredGemm each;
  each.precision = precision;
  each.m = m;
  each.n = n;
  each.k = k;
  each.time.median = microseconds(us);
  return each;
}

Layer linear(std::int64_t outputs) {
  Layer layer;
  layer.name = "fc";
  layer.work = Linear{1, 2048, outputs};
  return layer;
}

// The forward of a linear layer of 1000 outputs, 2048 inputs, batch 32.
Kernel forward(const Profile* profile) {
  const test::Step step({}, test::source_catalog(), profile);
  return step.kernels().forward(linear(1000), 32).kernels.at(0);
}

Profile with(const MeasuredGemm& gemm) {
  Profile profile;
  profile.gemms = {gemm};
  return profile;
}

TEST(MeasuredShape, ReplacesTheModel) {
  const Profile profile = with(gemm(32, 1000, 2048, 77));
  EXPECT_EQ(forward(&profile).time, microseconds(77));
  EXPECT_EQ(forward(&profile).provenance, Provenance::measured);
}

// A neighbour at twice its modelled time makes this shape take twice its modelled time.
TEST(MeasuredShape, CorrectsItsNeighboursByItsOwnRatio) {
  const test::Step step({});
  const Seconds modelled = step.kernels().forward(linear(1500), 40).kernels.at(0).time;
  const Profile profile = with(gemm(40, 1500, 2048, modelled.value() * 2e6));
  EXPECT_NEAR(forward(&profile).time / forward(nullptr).time, 2, 1e-9);
  EXPECT_EQ(forward(&profile).provenance, Provenance::interpolated);
}

// More than a factor 4 in any dimension is another kernel's business.
TEST(MeasuredShape, SaysNothingAboutShapesFarAway) {
  for (const MeasuredGemm& far :
       {gemm(129, 1000, 2048, 77), gemm(32, 1000, 511, 77), gemm(32, 1000, 2048, 77, "fp16")}) {
    const Profile profile = with(far);
    EXPECT_EQ(forward(&profile).time, forward(nullptr).time);
    EXPECT_EQ(forward(&profile).provenance, Provenance::modelled);
  }
}

TEST(MeasuredShape, TheNearestOfSeveralCounts) {
  Profile profile = with(gemm(60, 1000, 2048, 500));
  profile.gemms.push_back(gemm(32, 1000, 2048, 77));
  EXPECT_EQ(forward(&profile).time, microseconds(77));
}

}  // namespace
}  // namespace paceline
