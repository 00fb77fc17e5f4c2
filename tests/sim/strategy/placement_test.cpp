// Variables on parameter servers: what the fullest one keeps.
#include "sim/strategy/placement.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

Model of(const std::vector<std::int64_t>& elements) {
  Model model;
  for (const std::int64_t count : elements) model.parameters.push_back({"v", count});
  return model;
}

// Sizes 6 1 3 2 on two servers. In turn: 6 + 3 and 1 + 2, so 9/12. Each to the emptiest: 6, then 1 + 3 + 2:
// 6/12. In equal parts: 1/2.
TEST(Placement, DecidesWhatTheFullestServerKeeps) {
  const Model model = of({6, 1, 3, 2});
  EXPECT_DOUBLE_EQ(fullest_share(model, 2, Placement::round_robin), 9.0 / 12);
  EXPECT_DOUBLE_EQ(fullest_share(model, 2, Placement::by_size), 6.0 / 12);
  EXPECT_DOUBLE_EQ(fullest_share(model, 2, Placement::partitioned), 1.0 / 2);
}

// One large variable is a bottleneck that only cutting it removes: 8/10 on any number of servers.
TEST(Placement, OfALargeVariableIsNotHelpedByMoreServers) {
  const Model model = of({1, 8, 1});
  for (const int servers : {2, 3, 100}) {
    EXPECT_DOUBLE_EQ(fullest_share(model, servers, Placement::by_size), 0.8);
    EXPECT_DOUBLE_EQ(fullest_share(model, servers, Placement::partitioned), 1.0 / servers);
  }
}

TEST(Placement, OnOneServerIsEverything) {
  for (const Placement placement : {Placement::round_robin, Placement::by_size, Placement::partitioned})
    EXPECT_DOUBLE_EQ(fullest_share(of({5, 7}), 1, placement), 1);
}

}  // namespace
}  // namespace paceline
