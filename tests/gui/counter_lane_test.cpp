#include "gui/models/counter_lane.h"

#include <gmock/gmock.h>

#include "gui/models/timeline_layout.h"
#include "tests/gui/sample_timeline.h"

namespace paceline::gui {
namespace {

using testing::ElementsAre;

class CounterLaneTest : public testing::Test {
 protected:
  CounterLane lane(std::vector<Nanoseconds> times, std::vector<double> values) {
    counter_.times = std::move(times);
    counter_.values = std::move(values);
    return {timeline_, counter_};
  }

  Timeline timeline_;
  Counter counter_{.name = timeline_.strings.intern("memory"),
                   .unit = timeline_.strings.intern("bytes"),
                   .times = {},
                   .values = {}};
};

TEST_F(CounterLaneTest, ALevelHoldsUntilTheNextSample) {
  const CounterLane counter = lane({10, 30}, {5, 2});
  EXPECT_THAT(counter.levels({.origin = 0, .per_pixel = 10}, 5), ElementsAre(0, 5, 5, 2, 2));
}

TEST_F(CounterLaneTest, APixelShowsItsHighestLevel) {
  const CounterLane counter = lane({0, 12, 14}, {1, 9, 1});
  EXPECT_THAT(counter.levels({.origin = 0, .per_pixel = 10}, 3), ElementsAre(1, 9, 1));
}

TEST_F(CounterLaneTest, AViewThatBeginsLaterKnowsTheLevel) {
  const CounterLane counter = lane({0, 100}, {3, 4});
  EXPECT_THAT(counter.levels({.origin = 50, .per_pixel = 1}, 2), ElementsAre(3, 3));
}

TEST_F(CounterLaneTest, SamplesMayComeInAnyOrder) {
  const CounterLane counter = lane({30, 10}, {2, 5});
  EXPECT_THAT(counter.levels({.origin = 0, .per_pixel = 10}, 4), ElementsAre(0, 5, 5, 2));
}

TEST_F(CounterLaneTest, BytesAreSaidInTheUnitOfDeviceMemory) {
  EXPECT_EQ(lane({0, 1}, {1024.0 * 1024 * 1024, 0}).peak_text(), "peak 1 GiB");
}

TEST(TimelineLayout, ACounterStandsBelowTheDeviceOfItsRank) {
  Timeline timeline = *sample_timeline();
  timeline.counters.push_back({.rank = 0, .name = 0, .unit = 0, .times = {0}, .values = {1}});
  const TimelineLayout layout(std::make_shared<const Timeline>(timeline));
  EXPECT_TRUE(layout.groups()[0].counters.empty());
  EXPECT_THAT(layout.groups()[1].counters, ElementsAre(0u));
}

}  // namespace
}  // namespace paceline::gui
