#include "gui/models/latest_worker.h"

#include <gmock/gmock.h>

#include <future>
#include <vector>

namespace paceline::gui {
namespace {

TEST(LatestWorker, DropsJobsThatWereOvertaken) {
  std::vector<int> ran;
  std::promise<void> begun, go;
  {
    LatestWorker worker;
    worker.start([&](const LatestWorker::IsNewest& is_newest) {
      begun.set_value();
      go.get_future().wait();
      EXPECT_FALSE(is_newest());
      ran.push_back(1);
    });
    begun.get_future().wait();
    std::promise<void> third;
    worker.start([&](const LatestWorker::IsNewest&) { ran.push_back(2); });
    worker.start([&](const LatestWorker::IsNewest& is_newest) {
      EXPECT_TRUE(is_newest());
      ran.push_back(3);
      third.set_value();
    });
    go.set_value();
    third.get_future().wait();
  }
  EXPECT_THAT(ran, testing::ElementsAre(1, 3));
}

}  // namespace
}  // namespace paceline::gui
