// Layers of a pipeline's places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "sim/cost/transformer/split_step.h"

namespace paceline {
namespace {

using testing::ElementsAre;

LayerCosts equal_layers(int count, double before, double after) {
  return {std::vector<Seconds>(static_cast<std::size_t>(count), Seconds(1)), Seconds(before), Seconds(after)};
}

TEST(Stages, AreAsEvenAsPossibleAndLeaveTheRestToTheMiddle) {
  EXPECT_THAT(layers_of_places(8, 4, {}), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(layers_of_places(10, 4, {}), ElementsAre(2, 3, 3, 2));
  EXPECT_THAT(layers_of_places(11, 4, {}), ElementsAre(3, 3, 3, 2));
}

// 14 layers, embedding and head: 16 slots on 8 places.
TEST(Stages, CountEmbeddingAndHeadWhereAsked) {
  Parallelism parallelism;
  parallelism.embedding_counts = true;
  EXPECT_THAT(layers_of_places(14, 8, parallelism), ElementsAre(1, 2, 2, 2, 2, 2, 2, 1));
}

TEST(Stages, AreAsAskedWhenTheNumbersAddUp) {
  Parallelism parallelism;
  parallelism.stage_layers = {1, 4, 3};
  EXPECT_THAT(layers_of_places(8, 3, parallelism), ElementsAre(1, 4, 3));
  try {
    static_cast<void>(layers_of_places(9, 3, parallelism));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "stage_layers: found 3 numbers that add up to 8, expected 3 numbers, one a place of the "
                 "pipeline, that add up to 9 layers; count the virtual stages too");
  }
  EXPECT_THROW(static_cast<void>(layers_of_places(3, 4, {})), InputError);
}

// The head takes two layers' time: 4 + 4 + 4 + (2 + 2).
TEST(Stages, AreCutByTimeWithTheHeadCounted) {
  EXPECT_THAT(balanced_places(equal_layers(14, 0, 2), 4), ElementsAre(4, 4, 4, 2));
  EXPECT_THAT(balanced_places(equal_layers(14, 1, 1), 4), ElementsAre(3, 4, 4, 3));
}

double slowest(const std::vector<int>& places, const LayerCosts& costs) {
  double most = 0;
  std::size_t next = 0;
  for (std::size_t place = 0; place < places.size(); ++place) {
    double sum = place == 0 ? costs.before.value() : 0;
    if (place + 1 == places.size()) sum += costs.after.value();
    for (int layer = 0; layer < places[place]; ++layer) sum += costs.layers[next++].value();
    most = std::max(most, sum);
  }
  return most;
}

// No more than one layer above the mean of what is to be shared out, and never slower than even numbers.
RC_GTEST_PROP(StagesProperty, CutByTimeAreNoSlowerThanEvenNumbers, ()) {
  const int places = *rc::gen::inRange(1, 9), layers = places + *rc::gen::inRange(0, 40);
  LayerCosts costs = equal_layers(layers, 0.25 * *rc::gen::inRange(0, 9), 0.25 * *rc::gen::inRange(0, 17));
  for (Seconds& layer : costs.layers) layer = Seconds(0.5 + 0.1 * *rc::gen::inRange(0, 10));
  const std::vector<int> balanced = balanced_places(costs, places);
  RC_ASSERT(static_cast<int>(balanced.size()) == places);
  RC_ASSERT(std::accumulate(balanced.begin(), balanced.end(), 0) == layers);
  RC_ASSERT(slowest(balanced, costs) <= slowest(layers_of_places(layers, places, {}), costs) + 1e-9);
}

}  // namespace
}  // namespace paceline
