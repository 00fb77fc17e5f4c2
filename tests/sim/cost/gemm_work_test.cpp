// Tile and wave quantisation of matrix products.
#include "sim/cost/gemm_work.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace paceline {
namespace {

struct GemmCase {
  double m, n, k;
  int multiprocessors;
  double work;  // to five digits
};

// Worked by hand for the first: tile 128 x 64 at 0.93 gives 784 blocks on 80 processors: x = 9.8, W = 10,
// Wq = 10 + 0.7 (9.8 - 10) = 9.86; depth 32 x 18 + 64 = 640;
// 9.86 x 80 x 2 x 128 x 64 x 640 / 0.93 = 8.8937e9.
class GemmWork : public ::testing::TestWithParam<GemmCase> {};

TEST_P(GemmWork, IsTheLeastOverTilesAndSplits) {
  const GemmCase& gemm = GetParam();
  EXPECT_NEAR(quantised_gemm_work(gemm.m, gemm.n, gemm.k, gemm.multiprocessors).value(), gemm.work,
              gemm.work * 0.5e-4);
}

INSTANTIATE_TEST_SUITE_P(
    CheckCases, GemmWork,
    ::testing::Values(GemmCase{100352, 64, 576, 80, 8.8937e9}, GemmCase{401408, 64, 147, 80, 1.2451e10},
                      GemmCase{1568, 512, 4608, 80, 9.1040e9}, GemmCase{64, 147, 401408, 80, 1.3234e10},
                      GemmCase{8192, 1024, 1024, 108, 1.8553e10}, GemmCase{32, 1000, 2048, 80, 4.6631e8}));

// No tile computes less than the product itself: blocks cover m x n, Wq S >= blocks x split, the depth
// exceeds k / split, and no tile is more efficient than 1.
RC_GTEST_PROP(GemmWorkProperty, IsAtLeastTheArithmetic, ()) {
  const double m = *rc::gen::inRange(1, 100000), n = *rc::gen::inRange(1, 10000),
               k = *rc::gen::inRange(1, 10000);
  const int processors = *rc::gen::inRange(1, 200);
  RC_ASSERT(quantised_gemm_work(m, n, k, processors).value() >= 2 * m * n * k);
}

// In m and n; in k a longer product may be split further and so be cheaper than a shorter one.
RC_GTEST_PROP(GemmWorkProperty, GrowsWithTheSidesOfTheOutput, ()) {
  const double m = *rc::gen::inRange(1, 100000), n = *rc::gen::inRange(1, 10000),
               k = *rc::gen::inRange(1, 200);
  const int processors = *rc::gen::inRange(1, 200);
  const Flops work = quantised_gemm_work(m, n, k, processors);
  RC_ASSERT(quantised_gemm_work(m + *rc::gen::inRange(1, 500), n, k, processors) >= work);
  RC_ASSERT(quantised_gemm_work(m, n + *rc::gen::inRange(1, 500), k, processors) >= work);
}

}  // namespace
}  // namespace paceline
