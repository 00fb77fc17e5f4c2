// Whether a profile speaks for a device, and what of the data sheet it replaces.
#include "sim/cost/profile_device.h"

#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

const Device& device(const std::string& name) { return test::source_catalog().hardware.device(name); }

Profile measured_on(const std::string& name, const std::string& backend = "cuda") {
  Profile profile;
  profile.device = name;
  profile.backend = backend;
  return profile;
}

TEST(ProfileApplies, ToTheDeviceThatItNames) {
  EXPECT_TRUE(profile_applies(measured_on("NVIDIA V100 SXM2 16 GB"), device("v100-sxm2-16gb")));
  EXPECT_TRUE(profile_applies(measured_on("V100-SXM2"), device("v100-sxm2-16gb")));
  EXPECT_FALSE(profile_applies(measured_on("NVIDIA A100"), device("v100-sxm2-16gb")));
}

TEST(ProfileApplies, OfACpuToCpus) {
  EXPECT_TRUE(profile_applies(measured_on("Some CPU @ 2 GHz", "cpu"), device("xeon-core")));
  EXPECT_FALSE(profile_applies(measured_on("Some CPU @ 2 GHz", "cpu"), device("v100-sxm2-16gb")));
}

MeasuredMemory pass(const std::string& operation, double bytes, double seconds) {
  MeasuredMemory measured;
  measured.operation = operation;
  measured.bytes = Bytes(bytes);
  measured.time.median = Seconds(seconds);
  return measured;
}

// The longest passes count, since shorter ones stay in the caches: 1 GB in 0.1 s, not 1 MB in 10 us.
TEST(WithProfile, TakesTheBandwidthOfTheLongestPass) {
  Profile profile = measured_on("cpu", "cpu");
  profile.memory = {pass("copy", 1e6, 1e-5), pass("copy", 1e9, 0.1), pass("triad", 1e9, 0.125),
                    pass("read", 2e9, 0.1)};
  EXPECT_DOUBLE_EQ(with_profile(device("xeon-core"), profile).memory_bandwidth.value(), 1e10);
}

// 2 x 100^3 FLOP in 1 ms = 2 GFLOP/s: a CPU's peak is what its best product reaches; a GPU keeps its data
// sheet's.
TEST(WithProfile, TakesThePeakOfACpuFromItsProducts) {
  Profile profile = measured_on("cpu", "cpu");
  MeasuredGemm gemm;
  gemm.precision = "fp32";
  gemm.m = gemm.n = gemm.k = 100;
  gemm.time.median = Seconds(1e-3);
  profile.gemms = {gemm};
  Device slow = device("xeon-core");
  slow.peak[0] = FlopsPerSecond(1e9);
  EXPECT_DOUBLE_EQ(with_profile(slow, profile).peak[0]->value(), 2e9);
  EXPECT_EQ(with_profile(device("v100-sxm2-16gb"), profile).peak[0], device("v100-sxm2-16gb").peak[0]);
}

TEST(WithProfile, WithoutMeasurementsChangesNothing) {
  EXPECT_EQ(with_profile(device("xeon-core"), measured_on("cpu", "cpu")).memory_bandwidth,
            device("xeon-core").memory_bandwidth);
}

TEST(WithProfile, KeepsItsSustainedClock) {
  KernelRates rates;
  rates.sustained_clock = SustainedClock{0.8, 0.1, "elsewhere"};
  Profile profile = measured_on("b200");
  EXPECT_EQ(with_profile(rates, profile).sustained_clock->value, 0.8);
  profile.sustained_clock = 0.65;
  EXPECT_EQ(with_profile(rates, profile).sustained_clock->value, 0.65);
  EXPECT_EQ(with_profile(rates, profile).sustained_clock->source, "profile of b200");
}

}  // namespace
}  // namespace paceline
