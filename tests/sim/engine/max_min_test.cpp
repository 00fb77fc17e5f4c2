#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sim/engine/engine.h"

namespace paceline {
namespace {

using testing::ElementsAre;

constexpr double no_limit = std::numeric_limits<double>::infinity();

// x + y <= 10.  Both get 5.
TEST(MaxMin, EqualFlowsShareEqually) {
  const std::vector<FlowDemand> flows{{.rate_limit = no_limit, .uses = {{0}}},
                                      {.rate_limit = no_limit, .uses = {{0}}}};
  EXPECT_THAT(max_min_rates({10}, flows), ElementsAre(5, 5));
}

// x + y <= 10, x <= 2.  x stops at its limit, y takes the rest: 2 and 8.
TEST(MaxMin, WhatALimitedFlowLeavesGoesToTheOthers) {
  const std::vector<FlowDemand> flows{{.rate_limit = 2, .uses = {{0}}},
                                      {.rate_limit = no_limit, .uses = {{0}}}};
  EXPECT_THAT(max_min_rates({10}, flows), ElementsAre(2, 8));
}

// r0: x + y <= 10, r1: x + z <= 4.  r1 is full at 2: x = z = 2; y takes what x leaves of r0: 8.
TEST(MaxMin, AFlowOverTwoResourcesIsHeldByTheNarrowOne) {
  const std::vector<FlowDemand> flows{{.rate_limit = no_limit, .uses = {{0}, {1}}},
                                      {.rate_limit = no_limit, .uses = {{0}}},
                                      {.rate_limit = no_limit, .uses = {{1}}}};
  EXPECT_THAT(max_min_rates({10, 4}, flows), ElementsAre(2, 8, 2));
}

// 2 x + y <= 12.  Fair in rates, not in what is taken: both 4.
TEST(MaxMin, AWeightTakesMoreOfTheResourceForTheSameRate) {
  const std::vector<FlowDemand> flows{{.rate_limit = no_limit, .uses = {{.resource = 0, .weight = 2}}},
                                      {.rate_limit = no_limit, .uses = {{0}}}};
  EXPECT_THAT(max_min_rates({12}, flows), ElementsAre(4, 4));
}

// r0, shared:          3 x + y <= 8
// r1, one for each x:    x     <= 1
// x is held at 1 by its own r1; y takes 8 - 3 = 5.
TEST(MaxMin, IdenticalFlowsCountOnSharedResourcesAndHaveReplicatedOnesForThemselves) {
  const std::vector<FlowDemand> flows{{.rate_limit = no_limit,
                                       .multiplicity = 3,
                                       .uses = {{.resource = 0}, {.resource = 1, .replicated = true}}},
                                      {.rate_limit = no_limit, .uses = {{0}}}};
  EXPECT_THAT(max_min_rates({8, 1}, flows), ElementsAre(1, 5));
}

// 0.1 k x <= 1 for k flows: one that stands for k and k written out get the same rate to the last bit,
// although adding 0.1 up k times rounds otherwise than 0.1 * k.
TEST(MaxMin, AFlowThatStandsForManyGetsExactlyTheRateOfEach) {
  for (std::size_t count = 1; count < 50; ++count) {
    const FlowDemand one{.rate_limit = no_limit, .uses = {{.resource = 0, .weight = 0.1}}};
    FlowDemand many = one;
    many.multiplicity = static_cast<double>(count);
    EXPECT_EQ(max_min_rates({1}, {many}).front(), max_min_rates({1}, std::vector(count, one)).front());
  }
}

// x <= 5 and nothing else.
TEST(MaxMin, AFlowWithoutResourcesHasItsLimit) {
  EXPECT_THAT(max_min_rates({}, {{.rate_limit = 5, .uses = {}}}), ElementsAre(5));
}

// x <= 10 / 3 rounded up by one part in 10^15, 3 x <= 10: the limit counts, so that time alone is exact.
TEST(MaxMin, ALimitDerivedFromTheCapacityIsNotRoundedAgain) {
  const double limit = 10.0 / 3 * (1 + 1e-15);
  EXPECT_THAT(max_min_rates({10}, {{.rate_limit = limit, .uses = {{.resource = 0, .weight = 3}}}}),
              ElementsAre(limit));
}

}  // namespace
}  // namespace paceline
