// Time of single matrix products by mechanism.
#include "sim/cost/kernel/gemm_time.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

const KernelRates& rates_of(const std::string& device) {
  return *test::source_catalog().kernel_rates.measured(device);
}

const GemmRates& gemm_of(const std::string& device, NumberFormat format) {
  return *rates_of(device).gemm[static_cast<std::size_t>(format)];
}

// One processor that does 1 TFLOP/s and waits for nothing else.
GemmRates plain_rates() {
  GemmRates rates;
  rates.start = microseconds(1);
  rates.rate = FlopsPerSecond(1e12);
  rates.memory = rates.l2 = rates.epilogue = rates.resident = BytesPerSecond(1e30);
  rates.l2_capacity = Bytes(1e6);
  return rates;
}

// 64^3 on one processor: the tile of 64 x 64 takes 2 x 64 x 64 x (64 + 64) FLOP, 1.048576 us; launch 1 us,
// drain 0.3 us. Tiles of 16 or 32 rows need as many FLOP in several waves, larger ones more.
TEST(GemmTime, IsLaunchTileAndDrain) {
  const GemmTime time = gemm_time(plain_rates(), 1, {64, 64, 64});
  EXPECT_NEAR(time.time.value(), 2.348576e-6, 1e-12);
  EXPECT_EQ(time.limit, GemmLimit::tensor);
  EXPECT_EQ(time.split, 1);
}

// 5 blocks on 4 processors: x = 1.25, 2 waves. With nothing hidden both count; with all hidden, 1.25.
TEST(GemmTime, HidesAShareOfTheLastWave) {
  GemmRates rates = plain_rates();
  const auto waves = [&](double hidden) {
    rates.hidden_waves = hidden;
    const double tile = 2.0 * 64 * 64 * 128 / (1e12 / 4);
    return (gemm_time(rates, 4, {64, 320, 64}).time.value() - 1.3e-6) / tile;
  };
  // Tiles of 32 x 64 make 10 blocks: x = 2.5, 3 waves of half a tile each.
  EXPECT_NEAR(waves(0), 1.25, 1e-9);  // tiles of 16 rows: 20 blocks, 5 whole waves of a quarter
  EXPECT_NEAR(waves(1), 1.25, 1e-9);
}

// m = 1, n = 64, k = 16384: one block of 16 x 64 alone would take 256 dependent steps; 32 parts take 8 each.
TEST(GemmTime, SplitsALongKOverIdleProcessors) {
  GemmRates rates = plain_rates();
  rates.rate = FlopsPerSecond(1e18);
  rates.k_step = microseconds(0.1);
  rates.split = microseconds(2);
  const GemmTime time = gemm_time(rates, 108, {1, 64, 16384});
  EXPECT_EQ(time.split, 32);
  EXPECT_NEAR(time.time.value() * 1e6, 1 + 8 * 0.1 + 0.3 + 2, 1e-3);
}

struct CheckCase {
  const char* device;
  NumberFormat format;
  double m, n, k, model, corrected, cold;
};

class GemmCheckCase : public ::testing::TestWithParam<CheckCase> {};

// Computed from the published formulas with the same rounded numbers; weights rotated as the benchmark does.
TEST_P(GemmCheckCase, AgreesToTheLastDigit) {
  const CheckCase& check = GetParam();
  const KernelRates& rates = rates_of(check.device);
  const GemmRates& gemm = gemm_of(check.device, check.format);
  GemmShape shape{check.m, check.n, check.k, 1, operand_bytes(check.format), 2};
  shape.quantise = check.format == NumberFormat::fp8;
  GemmConditions resident;
  resident.cold = false;
  resident.copies = benchmark_copies(Bytes(shape.element * shape.n * shape.k), rates.l2_cache);
  const int processors = rates.multiprocessors;
  EXPECT_NEAR(gemm_time(gemm, processors, shape, resident).time.value() * 1e6, check.model, 0.006);
  EXPECT_NEAR(corrected_gemm_time(gemm, processors, shape, resident).value() * 1e6, check.corrected, 0.006);
  EXPECT_NEAR(gemm_time(gemm, processors, shape).time.value() * 1e6, check.cold, 0.006);
}

INSTANTIATE_TEST_SUITE_P(
    Published, GemmCheckCase,
    ::testing::Values(CheckCase{"h100_sxm", NumberFormat::bf16, 4096, 4096, 4096, 178.83, 172.39, 178.83},
                      CheckCase{"h100_sxm", NumberFormat::bf16, 8192, 10240, 8192, 1735.75, 1776.15, 1735.75},
                      CheckCase{"h100_sxm", NumberFormat::bf16, 1, 10240, 8192, 62.57, 63.19, 62.58},
                      CheckCase{"h100_sxm", NumberFormat::bf16, 16, 256, 16384, 8.21, 8.01, 8.55},
                      CheckCase{"h100_sxm", NumberFormat::fp8, 8192, 1024, 16384, 519.83, 521.57, 519.83},
                      CheckCase{"b200_sxm", NumberFormat::bf16, 4096, 4096, 4096, 91.74, 91.13, 91.74},
                      CheckCase{"b200_sxm", NumberFormat::bf16, 1024, 16384, 1024, 26.82, 26.07, 26.82},
                      CheckCase{"a100_sxm", NumberFormat::bf16, 2048, 5120, 5120, 401.38, 415.42, 401.38},
                      CheckCase{"l40s", NumberFormat::bf16, 8, 1024, 12288, 27.85, 27.3, 42.48}));

// Any measured device and format, and a shape within the tables.
struct Drawn {
  const KernelRates* rates;
  const GemmRates* gemm;
  GemmShape shape;
};

Drawn draw() {
  const auto& all = test::source_catalog().kernel_rates.all();
  Drawn drawn{&all[*rc::gen::inRange<std::size_t>(0, all.size())], nullptr, {}};
  const auto fp8 = static_cast<std::size_t>(NumberFormat::fp8),
             bf16 = static_cast<std::size_t>(NumberFormat::bf16);
  RC_PRE(drawn.rates->gemm[bf16].has_value());
  const bool small = *rc::gen::arbitrary<bool>() && drawn.rates->gemm[fp8].has_value();
  drawn.gemm = &*drawn.rates->gemm[small ? fp8 : bf16];
  const auto size = [](int most) { return std::floor(std::exp2(*rc::gen::inRange(0, most) / 100.0)); };
  drawn.shape = {size(1500), 32 * size(900), 32 * size(900), 1, small ? 1.0 : 2.0, 2};
  return drawn;
}

Seconds time_of(const Drawn& drawn, const GemmConditions& conditions = {}) {
  return gemm_time(*drawn.gemm, drawn.rates->multiprocessors, drawn.shape, conditions).time;
}

RC_GTEST_PROP(GemmTimeProperty, IsNeverFasterThanTheMemoryOrTheTensorCores, ()) {
  const Drawn drawn = draw();
  const GemmShape& s = drawn.shape;
  const Bytes bytes(s.element * (s.m * s.k + s.n * s.k) + s.output * s.m * s.n);
  RC_ASSERT(time_of(drawn) >= bytes / drawn.gemm->memory);
  RC_ASSERT(time_of(drawn) >= Flops(2 * s.m * s.n * s.k) / drawn.gemm->rate);
}

RC_GTEST_PROP(GemmTimeProperty, GrowsWithTheShape, ()) {
  const Drawn drawn = draw();
  Drawn wider = drawn, higher = drawn, deeper = drawn;
  wider.shape.n *= 1.25;
  higher.shape.m = std::ceil(drawn.shape.m * 1.25);
  deeper.shape.k *= 1.25;
  // Another tile or split may serve the larger shape better: at most 5 % in m and k, never in n.
  RC_ASSERT(time_of(wider) >= time_of(drawn) * 0.999999);
  RC_ASSERT(time_of(higher) >= time_of(drawn) * 0.95);
  RC_ASSERT(time_of(deeper) >= time_of(drawn) * 0.95);
}

RC_GTEST_PROP(GemmTimeProperty, FallsWithBetterConditions, ()) {
  const Drawn drawn = draw();
  GemmConditions resident, slow, busy;
  resident.cold = false;
  slow.clock = 0.8;
  busy.busy = 16;
  busy.taken = drawn.gemm->memory * 0.2;
  const Seconds alone = time_of(drawn);
  RC_ASSERT(time_of(drawn, resident) <= alone * 1.000001);
  RC_ASSERT(time_of(drawn, slow) >= alone);
  RC_ASSERT(time_of(drawn, slow) <= alone / 0.8);
  RC_ASSERT(time_of(drawn, busy) >= alone * 0.999999);
}

// 132 tiles of 128 x 128 fill an H100; when communication holds 16 processors they need a second wave, unless
// a smaller tile spreads them better: between 132 / 116 and twice as long.
TEST(GemmTime, SuffersWhenCommunicationHoldsProcessors) {
  GemmRates rates = gemm_of("h100_sxm", NumberFormat::bf16);
  rates.hidden_waves = 0;
  GemmConditions busy;
  busy.busy = 16;
  const GemmShape shape{11 * 128, 12 * 128, 16384};
  const double slower = gemm_time(rates, 132, shape, busy).time / gemm_time(rates, 132, shape).time;
  EXPECT_GT(slower, 132.0 / 116 * 0.99);
  EXPECT_LT(slower, 2);
}

TEST(GroupedGemm, OneByOneIsTheSumAndOneKernelIsFaster) {
  const GemmRates& rates = gemm_of("b200_sxm", NumberFormat::bf16);
  const GemmShape each{128, 4096, 1024};
  const Seconds one = gemm_time(rates, 148, each).time;
  EXPECT_DOUBLE_EQ(grouped_gemm_time(rates, 148, 16, each, Grouping::one_by_one) / one, 16);
  const Seconds fused = grouped_gemm_time(rates, 148, 16, each, Grouping::fused);
  EXPECT_LT(fused, one * 16);
  EXPECT_GE(fused, Bytes(16 * 2.0 * (128 * 1024 + 4096 * 1024 + 128 * 4096)) / rates.memory);
}

// Accumulating into fp32 moves 8 bytes an output element instead of 2: 6 x 8192^2 bytes more at 5.99 TB/s are
// 67 us, less what the arithmetic hides.
TEST(GemmTime, AccumulatingIntoFp32MovesMore) {
  const GemmRates& rates = gemm_of("b200_sxm", NumberFormat::bf16);
  const GemmShape narrow{8192, 8192, 64};
  GemmShape wide = narrow;
  wide.output = 8;
  const double more = (gemm_time(rates, 148, wide).time - gemm_time(rates, 148, narrow).time).value();
  EXPECT_GT(more, 0.8 * 67.2e-6);
  EXPECT_LT(more, 1.3 * 67.2e-6);
}

// At a node the percentage itself; halfway between two in the logarithm their mean; outside the edge's.
TEST(CorrectionGrid, InterpolatesAndClamps) {
  CorrectionGrid::Percent percent{};
  percent[1][5] = 10;  // m = 32, n = 512, k = 512
  const CorrectionGrid grid(percent);
  EXPECT_NEAR(grid.factor(32, 512, 512), std::exp(0.10), 1e-12);
  EXPECT_NEAR(grid.factor(32, 512, 512 * std::sqrt(8.0)), std::exp(0.05), 1e-12);
  EXPECT_NEAR(grid.factor(1, 512, 512), 1, 1e-12);
  percent[0][0] = -20;
  EXPECT_NEAR(CorrectionGrid(percent).factor(1, 1, 1), std::exp(-0.20), 1e-12);
}

}  // namespace
}  // namespace paceline
