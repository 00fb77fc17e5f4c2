// Measured shapes as corrections to the model, and products by mechanism in a training step.
#include "sim/cost/kernel/measured_ratios.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/cost/kernel_cost.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

// One shape at 20 us that the model gives 10 us.
MeasuredRatios one() {
  MeasuredRatios ratios;
  ratios.add({1024, 1024, 1024}, microseconds(20), microseconds(10));
  return ratios;
}

TEST(MeasuredRatios, GiveTheTimeOfTheVeryShape) {
  const auto exact = one().at({1024, 1024, 1024});
  EXPECT_EQ(exact.exact, microseconds(20));
  EXPECT_EQ(exact.provenance, Provenance::measured);
  // As if it had not been measured: nothing else is near.
  EXPECT_EQ(one().at({1024, 1024, 1024}, true).provenance, Provenance::modelled);
}

// In full up to a factor 2; at 2 sqrt 2 half of ln 2 is left; nothing at 4.
TEST(MeasuredRatios, FadeBetweenAFactorOfTwoAndFour) {
  const MeasuredRatios ratios = one();
  EXPECT_NEAR(ratios.at({2048, 1024, 1024}).factor, 2, 1e-9);
  EXPECT_NEAR(ratios.at({1024, 1024, 2048 * std::sqrt(2)}).factor, std::sqrt(2), 1e-9);
  EXPECT_EQ(ratios.at({4097, 1024, 1024}).factor, 1);
  EXPECT_EQ(ratios.at({4097, 1024, 1024}).provenance, Provenance::modelled);
  EXPECT_EQ(ratios.at({1500, 1024, 1024}).provenance, Provenance::interpolated);
}

// Halfway in ln m between a ratio of 2 and one of 1/2, both count alike; three times nearer to one, 9 : 1.
TEST(MeasuredRatios, WeighByTheInverseSquareOfTheDistance) {
  MeasuredRatios ratios = one();
  ratios.add({2048, 1024, 1024}, microseconds(5), microseconds(10));
  EXPECT_NEAR(ratios.at({1024 * std::sqrt(2), 1024, 1024}).factor, 1, 1e-9);
  const double near = 1024 * std::exp2(0.25);
  EXPECT_NEAR(std::log2(ratios.at({near, 1024, 1024}).factor), (9.0 - 1) / 10, 1e-9);
}

Layer linear(std::int64_t inputs, std::int64_t outputs) {
  Layer layer;
  layer.name = "fc";
  layer.work = Linear{1, inputs, outputs};
  return layer;
}

KernelCost kernels_of(const std::string& device, Precision precision, bool by_mechanism) {
  const Catalog& catalog = test::source_catalog();
  const Device& found = catalog.hardware.device(device);
  return {found,
          catalog.hardware.architecture(found.architecture),
          catalog.kernels,
          catalog.frameworks.framework("pytorch"),
          {precision, false, ModelFamily::encoder},
          nullptr,
          by_mechanism ? catalog.kernel_rates.measured(device) : nullptr};
}

// 8192^3 on an H100 at 0.80 of its burst clock: at least 2 x 8192^3 FLOP at 0.80 x 807 TFLOP/s, 1.703 ms, and
// at most a tenth more, since the shape fills the device.
TEST(TrainingStep, TakesProductsByMechanismAtTheSustainedClock) {
  const KernelCost kernels = kernels_of("h100-sxm5-80gb", Precision::bf16, true);
  const Seconds time = kernels.forward(linear(8192, 8192), 8192).kernels.at(0).time;
  const Seconds bound = Flops(2 * std::pow(8192.0, 3)) / FlopsPerSecond(0.80 * 807e12);
  EXPECT_GE(time, bound);
  EXPECT_LE(time, bound * 1.1);
}

// Only 16-bit products were measured.
TEST(TrainingStep, KeepsItsEfficienciesWhereNothingWasMeasured) {
  const auto time = [](Precision precision, bool by_mechanism) {
    return kernels_of("a100-sxm4-80gb", precision, by_mechanism)
        .forward(linear(4096, 4096), 512)
        .kernels.at(0)
        .time;
  };
  EXPECT_EQ(time(Precision::tf32, true), time(Precision::tf32, false));
  EXPECT_NE(time(Precision::fp16, true), time(Precision::fp16, false));
}

}  // namespace
}  // namespace paceline
