// Kernel rates: what is read, what is refused, and what a device inherits.
#include "sim/cost/kernel/kernel_rates.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "sim/cost/kernel/transfer.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

constexpr auto bf16 = static_cast<std::size_t>(NumberFormat::bf16);

std::optional<KernelRates> rates_of(const std::string& device) {
  const Catalog& catalog = test::source_catalog();
  return catalog.kernel_rates.rates_of(catalog.hardware, catalog.hardware.device(device));
}

TEST(KernelRates, OfAMeasuredDeviceAreItsOwn) {
  const auto rates = rates_of("h100-sxm5-80gb");
  ASSERT_TRUE(rates);
  EXPECT_EQ(rates->gemm[bf16]->rate, FlopsPerSecond(807e12));
  EXPECT_EQ(rates->transfer_uncertainty, 0);
  EXPECT_TRUE(rates->notes.empty());
}

// H100 PCIe: 756 of 989 TFLOP/s, 2.0 of 3.35 TB/s, 114 of 132 processors. A processor is 0.885 times as fast.
TEST(KernelRates, OfAnotherDeviceOfTheArchitectureAreScaledBySheet) {
  const auto rates = rates_of("h100-pcie-80gb");
  ASSERT_TRUE(rates);
  EXPECT_NEAR(rates->gemm[bf16]->rate.value(), 807e12 * 756 / 989, 1e9);
  EXPECT_NEAR(rates->gemm[bf16]->memory.value(), 2.817e12 * 2.0 / 3.35, 1e9);
  EXPECT_NEAR(rates->gemm[bf16]->k_step.value(), 0.0861e-6 / std::sqrt(756.0 / 989 * 132 / 114), 1e-11);
  EXPECT_EQ(rates->gemm[bf16]->start, microseconds(2.42));
  EXPECT_EQ(rates->multiprocessors, 114);
  EXPECT_GT(rates->transfer_uncertainty, 0.05);
  ASSERT_EQ(rates->notes.size(), 1u);
  EXPECT_NE(rates->notes[0].find("scaled from NVIDIA H100"), std::string::npos);
}

// H800 has H100's peaks and bandwidth, H200 another bandwidth.
TEST(KernelRates, ComeFromTheNearestDataSheet) {
  const auto rates = rates_of("h800-sxm5-80gb");
  ASSERT_TRUE(rates);
  EXPECT_EQ(rates->gemm[bf16]->memory, BytesPerSecond(2.817e12));
  EXPECT_NE(rates->notes.at(0).find("H100"), std::string::npos);
}

TEST(KernelRates, AreNotGuessedForAnUnmeasuredArchitecture) { EXPECT_FALSE(rates_of("t4")); }

// GB300 keeps 0.95 of its burst rate by its own file, H800 what the H100 keeps.
TEST(KernelRates, TakeTheSustainedClockOfTheDevicesOwnFile) {
  EXPECT_EQ(rates_of("gb300")->sustained_clock->value, 0.95);
  EXPECT_EQ(rates_of("h100-sxm5-96gb-hbm2e")->sustained_clock->value, 0.67);
  EXPECT_EQ(rates_of("h800-sxm5-80gb")->sustained_clock->value, 0.81);
}

// fp16 runs as bf16 does; tf32 at half the rate; fp8 only where it was measured.
TEST(KernelRates, OfOtherFormatsFollowThePeaks) {
  const Device& device = test::source_catalog().hardware.device("a100-sxm4-80gb");
  const auto rates = rates_of("a100-sxm4-80gb");
  EXPECT_EQ(gemm_rates_for(*rates, device, NumberFormat::fp16)->rate, FlopsPerSecond(297e12));
  EXPECT_NEAR(gemm_rates_for(*rates, device, NumberFormat::tf32)->rate.value(), 148.5e12, 1e9);
  EXPECT_GT(gemm_rates_for(*rates, device, NumberFormat::tf32)->error.p90, rates->gemm[bf16]->error.p90);
  EXPECT_FALSE(gemm_rates_for(*rates, device, NumberFormat::fp8));
}

class BrokenRates : public test::TempFolder {
 protected:
  void expect_refusal(const std::string& place, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(read_file(test::data_folder() + "/kernels/b200.json"));
    json[nlohmann::json::json_pointer(place)] = value;
    write("b200.json", json.dump());
    try {
      static_cast<void>(read_kernel_rates(path("b200.json")));
      FAIL() << place;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
};

TEST_F(BrokenRates, AreRefusedByTheirPlace) {
  expect_refusal("/gemm/bf16/rate", "0TFLOP/s");
  expect_refusal("/gemm/bf16/memory", "6TB");
  expect_refusal("/gemm/bf16/correction_percent", nlohmann::json::array({1, 2}));
  expect_refusal("/gemm/bf16/hidden_waves", 1.5);
  expect_refusal("/attention/rate/large", "1TFLOP/s");
  expect_refusal("/sustained_clock/value", 2);
  expect_refusal("/gemm/bf16/error/median", -1);
}

}  // namespace
}  // namespace paceline
