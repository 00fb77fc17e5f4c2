#include "base/statistics.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(Quantile, OfOneValueIsThatValue) {
  EXPECT_EQ(quantile({7}, 0), 7);
  EXPECT_EQ(quantile({7}, 0.3), 7);
  EXPECT_EQ(quantile({7}, 1), 7);
}

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  // Sorted 1 2 4 8: positions 0 to 3. q = 0.5 is position 1.5, between 2 and 4; q = 0.9 is position 2.7.
  EXPECT_EQ(quantile({8, 1, 4, 2}, 0), 1);
  EXPECT_EQ(quantile({8, 1, 4, 2}, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile({8, 1, 4, 2}, 0.9), 4 + 0.7 * 4);
  EXPECT_EQ(quantile({8, 1, 4, 2}, 1), 8);
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(MedianAbsoluteDeviation, IgnoresOneWildValue) {
  // Median 3; distances 2 1 0 1 97, in order 0 1 1 2 97.
  EXPECT_EQ(median_absolute_deviation({1, 2, 3, 4, 100}), 1);
  EXPECT_EQ(median_absolute_deviation({5, 5, 5}), 0);
}

TEST(WeightedQuantile, CountsWeightInsteadOfValues) {
  // Total 10: the value 1 covers up to 0.7, the value 2 up to 0.9, the value 3 the rest.
  const std::vector<WeightedValue> values{{3, 1}, {1, 7}, {2, 2}};
  EXPECT_EQ(weighted_quantile(values, 0), 1);
  EXPECT_EQ(weighted_quantile(values, 0.5), 1);
  EXPECT_EQ(weighted_quantile(values, 0.7), 1);
  EXPECT_EQ(weighted_quantile(values, 0.8), 2);
  EXPECT_EQ(weighted_quantile(values, 0.95), 3);
}

TEST(WeightedQuantile, OfTenEqualWeightsDoesNotMissByRounding) {
  // 0.1 added ten times is 0.9999999999999999.
  std::vector<WeightedValue> values;
  for (int value = 1; value <= 10; ++value) values.push_back({static_cast<double>(value), 0.1});
  EXPECT_EQ(weighted_quantile(values, 0.3), 3);
  EXPECT_EQ(weighted_quantile(values, 1), 10);
}

}  // namespace
}  // namespace paceline
