#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/model/model_summary.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(ModelSummary, TotalsOfResNet50) {
  const Table table = totals_table(source_model("resnet50"));
  EXPECT_THAT(table.rows, Contains(ElementsAre("parameters", "25,557,032")));
  EXPECT_THAT(table.rows, Contains(ElementsAre("parameter tensors", "161")));
  EXPECT_THAT(table.rows, Contains(ElementsAre("forward multiply-adds a sample", "4.089 G")));
  // 21,075,968 elements of 4 or 2 bytes and 1,605,632 bytes of indices.
  EXPECT_THAT(table.rows, Contains(ElementsAre("kept for backward a sample, fp32", "85.91 MB")));
  EXPECT_THAT(table.rows, Contains(ElementsAre("kept for backward a sample, 16 bit", "43.76 MB")));
}

TEST(ModelSummary, OneRowForEachLayer) {
  const Model model = source_model("resnet50");
  const Table table = layer_table(model);
  ASSERT_EQ(table.rows.size(), model.layers.size());
  EXPECT_THAT(table.rows.front(), ElementsAre("conv1", "convolution", "3x224x224 -> 64x112x112, 7x7/2",
                                              "118.014", "", "", "9,408", "602,112"));
  EXPECT_THAT(table.rows.back(),
              ElementsAre("fc", "linear", "1 x 2048 -> 1000", "2.048", "", "", "2,049,000", "8,192"));
}

TEST(ModelSummary, EveryModelOfTheCatalogCanBeShown) {
  const ModelCatalog catalog = source_catalog();
  for (const std::string& name : catalog.names()) {
    const Model model = catalog.build(name);
    EXPECT_FALSE(to_text(totals_table(model)).empty()) << name;
    EXPECT_FALSE(to_text(layer_table(model)).empty()) << name;
  }
}

}  // namespace
}  // namespace paceline
