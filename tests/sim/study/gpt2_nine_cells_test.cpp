// GPT-2 on two RTX 3090, nn.DataParallel and DDP with an NVLink bridge and DDP without, at three sequence
// lengths: https://github.com/huggingface/transformers/issues/9371
#include <gtest/gtest.h>

#include <map>

#include "sim/study/predict.h"
#include "sim/study/published.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

class NineCells : public ::testing::Test {
 protected:
  NineCells() : catalog_(Catalog::load(test::data_folder())) {
    const std::string file = test::data_folder() + "/published/gpt2-2x-rtx-3090.json";
    for (const PublishedRow& row : read_published(catalog_, file).rows) {
      EXPECT_TRUE(row.scenario && row.step && row.cluster) << row.id << ": " << row.why_not;
      catalog_.hardware.add_cluster(*row.cluster);
      if (row.scenario->devices == 1)
        alone_[row.scenario->input.sequence] = *row.step;
      else
        cells_.push_back(row);
    }
  }
  // Of the two cards, with the compute of one as measured.
  [[nodiscard]] Seconds predicted(const PublishedRow& cell) const {
    Scenario scenario = *cell.scenario;
    scenario.measured.step = alone_.at(scenario.input.sequence);
    return predict(catalog_, scenario).step;
  }

  Catalog catalog_;
  std::map<std::int64_t, Seconds> alone_;
  std::vector<PublishedRow> cells_;
};

// All within 8 % when this was written. 12 %: the host-staged copy rate alone is known to a factor, and the
// published run times of 200 steps include the start of a run.
TEST_F(NineCells, AreWithinTwelvePercent) {
  ASSERT_EQ(cells_.size(), 9U);
  for (const PublishedRow& cell : cells_)
    EXPECT_NEAR(predicted(cell) / *cell.step, 1, 0.12) << cell.id << ": " << to_string(predicted(cell));
}

// Whether two cards beat one: 2 t(1) / t(2) above or below 1.
TEST_F(NineCells, SayWhereTwoCardsAreSlowerThanOne) {
  int slower = 0;
  for (const PublishedRow& cell : cells_) {
    const Seconds alone = alone_.at(cell.scenario->input.sequence);
    const bool gains = *cell.step < alone * 2;
    slower += gains ? 0 : 1;
    EXPECT_EQ(predicted(cell) < alone * 2, gains) << cell.id;
  }
  EXPECT_EQ(slower, 2) << "without NVLink at 128 and 256 tokens";
}

}  // namespace
}  // namespace paceline
