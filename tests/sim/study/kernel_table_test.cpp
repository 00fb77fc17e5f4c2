// Tables of kernel times: what is read, what is refused, and what is fitted to them.
#include "sim/study/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/study/fit_kernels.h"
#include "sim/study/robust_fit.h"
#include "sim/study/validate_kernels.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"
#include "traces/gzip.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

TEST(KernelTable, IsReadByItsHeader) {
  const auto rows = parse_kernel_table(
      "# source: a "
      "benchmark\ndtype,k,m,n,us,cold,accumulate\nbfloat16,64,128,256,10.5,1,1\nfp8,64,128,256,20,,\n",
      "t.csv", "b200");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].device, "b200");
  EXPECT_EQ(rows[0].gemm.m, 128);
  EXPECT_EQ(rows[0].gemm.n, 256);
  EXPECT_EQ(rows[0].gemm.k, 64);
  EXPECT_EQ(rows[0].gemm.output, 8);
  EXPECT_TRUE(rows[0].cold);
  EXPECT_EQ(rows[0].measured, microseconds(10.5));
  EXPECT_EQ(rows[1].format, NumberFormat::fp8);
  EXPECT_TRUE(rows[1].gemm.quantise);
  EXPECT_FALSE(rows[1].cold);
}

TEST(KernelTable, TellsOperatorsByTheirColumns) {
  const auto what = [](const std::string& text) {
    return parse_kernel_table(text, "t.csv", "b200").at(0).what;
  };
  EXPECT_EQ(what("dtype,batch,seq,heads,kv_heads,head_dim,us\nbf16,1,128,8,8,64,5\n"),
            KernelOperator::attention);
  EXPECT_EQ(what("dtype,batch,seq,heads,us\nbf16,1,128,8,5\n"), KernelOperator::latent_attention);
  EXPECT_EQ(what("dtype,tokens,hidden,expert_ffn,top_k,experts,us\nbf16,1,128,8,8,64,5\n"),
            KernelOperator::experts);
}

TEST(KernelTable, NamesTheLineOfWhatItRefuses) {
  const auto refusal = [](const std::string& text) {
    return test::refusal([&] { return parse_kernel_table(text, "t.csv", "b200"); });
  };
  EXPECT_THAT(refusal("dtype,m,n,k,us\nbf16,1,2,3,-4\n"), HasSubstr("t.csv:2: found us \"-4\""));
  EXPECT_THAT(refusal("dtype,m,n,k,us\nbf16,1,2,3\n"), HasSubstr("t.csv:2: found 4 cells"));
  EXPECT_THAT(refusal("dtype,m,n,heds,us\n"), HasSubstr("did you mean \"heads\"?"));
  EXPECT_THAT(refusal("dtype,m,n,k\n"), HasSubstr("no column \"us\""));
  EXPECT_THAT(refusal("dtype,m,n,k,us\nint4,1,2,3,4\n"), HasSubstr("dtype \"int4\""));
  EXPECT_THAT(refusal("dtype,m,n,k,us\n"), HasSubstr("no rows"));
}

class Tables : public test::TempFolder {};

TEST_F(Tables, MayBeCompressedAndNameTheirDevice) {
  const std::string file =
      write("h100_sxm-gemm.csv.gz", gzip("dtype,m,n,k,us\nbf16,4096,4096,4096,174.285\n"));
  EXPECT_EQ(read_kernel_table(file).at(0).device, "h100_sxm");
  const auto errors = validate_kernels(test::source_catalog(), test::data_folder(), {file});
  ASSERT_EQ(errors.size(), 1u);
  // 172.39 us with the correction grid.
  EXPECT_NEAR(errors[0].median, std::log(174.285 / 172.39), 1e-4);
}

// The extract that is shipped stays as good as the whole tables: 5 % and 15 % of products in 16 bit, twice
// that for so few rows.
TEST_F(Tables, ThatAreShippedAreMet) {
  for (const KernelErrors& each : validate_kernels(test::source_catalog(), test::data_folder(), {})) {
    EXPECT_EQ(each.rows, 15u);
    if (each.what != "gemm") continue;
    EXPECT_LT(each.median, 0.10) << each.device;
    EXPECT_LT(each.p90, 0.30) << each.device;
  }
}

// A X = b with A = L L^T, L = (2 0; 1 3): A = (4 2; 2 10), x = (1, 2) gives b = (8, 22).
TEST(RobustFit, SolvesSymmetricSystems) {
  const auto x = solve_symmetric({4, 2, 2, 10}, {8, 22});
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 2, 1e-12);
  EXPECT_THROW(static_cast<void>(solve_symmetric({1, 2, 2, 1}, {1, 1})), std::domain_error);
}

// 50 points of y = 0.2 + 0.3 x and one that is 5 away: the line stays.
TEST(RobustFit, IsNotBentByAWildPoint) {
  const Residuals line = [](const std::vector<double>& p, std::vector<double>& residuals) {
    for (std::size_t at = 0; at < residuals.size(); ++at) {
      const double x = static_cast<double>(at) / 50;
      residuals[at] = p[0] + p[1] * x - (0.2 + 0.3 * x) - (at == 25 ? 5 : 0);
    }
  };
  RobustFit wide;
  wide.prior_sigma = 100;
  const auto found = robust_fit({0, 0}, std::vector<double>(51, 1), line, wide);
  EXPECT_NEAR(found[0], 0.2, 0.02);
  EXPECT_NEAR(found[1], 0.3, 0.02);
}

// Rows made from B200's rates with a tensor rate of 1200 instead of 1605 TFLOP/s: the fit finds it again.
std::vector<KernelRow> slower_rows() {
  KernelRates slow = *test::source_catalog().kernel_rates.measured("b200");
  slow.gemm[3]->rate = FlopsPerSecond(1200e12);
  std::vector<KernelRow> rows;
  for (const double m : {64, 512, 4096, 16384})
    for (const double n : {1024, 8192, 16384})
      for (const double k : {1024, 4096, 16384}) {
        KernelRow row;
        row.device = "b200_sxm";
        row.gemm.m = m;
        row.gemm.n = n;
        row.gemm.k = k;
        row.measured = *kernel_time(slow, row, false);
        rows.push_back(row);
      }
  return rows;
}

TEST(FittedRates, FindTheRateBehindTheRows) {
  const FittedRates fitted = fit_rates(test::source_catalog(), slower_rows(), "b200", "a test");
  EXPECT_NEAR(fitted.rates.gemm[3]->rate.value(), 1200e12, 0.03 * 1200e12);
  ASSERT_EQ(fitted.errors.size(), 1u);
  EXPECT_EQ(fitted.errors[0].rows, 36u);
  EXPECT_GT(fitted.errors[0].before.p90, 0.2);
  EXPECT_LT(fitted.errors[0].left_out.p90, 0.05);
}

TEST_F(Tables, FittedRatesAreAFileOfTheCatalog) {
  const FittedRates fitted = fit_rates(test::source_catalog(), slower_rows(), "b200", "a test");
  const KernelRates read = read_kernel_rates(write("b200.json", to_json(fitted.rates)));
  EXPECT_NEAR(read.gemm[3]->rate / fitted.rates.gemm[3]->rate, 1, 1e-4);
  EXPECT_EQ(read.training_attention.size(), fitted.rates.training_attention.size());
  EXPECT_NE(read.source.find("a test"), std::string::npos);
}

TEST(FittedProfile, HoldsTheRowsAndSaysHowWellTheyPredictEachOther) {
  const auto rows = slower_rows();
  const FittedProfile fitted = fit_profile(test::source_catalog(), rows, "b200", "a test");
  EXPECT_EQ(fitted.profile.gemms.size(), rows.size());
  EXPECT_EQ(fitted.profile.gemms[0].time.median, rows[0].measured);
  // The corners of so coarse a grid have no neighbours within a factor 4, or only some that are slowed less.
  EXPECT_LE(fitted.errors.at(0).left_out.median, fitted.errors.at(0).before.median + 1e-12);
}

TEST(FittedTables, AreOfOneDevice) {
  auto rows = slower_rows();
  EXPECT_EQ(device_of_rows(test::source_catalog(), rows, ""), "b200");
  rows[1].device = "h100_sxm";
  EXPECT_THAT(test::refusal([&] { return device_of_rows(test::source_catalog(), rows, ""); }),
              HasSubstr("b200_sxm and h100_sxm"));
}

}  // namespace
}  // namespace paceline
