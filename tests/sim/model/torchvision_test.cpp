// Nets for images against what torchvision publishes of them, or by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/builders.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

struct Published {
  const char* name;
  std::int64_t parameters;
  double gmac;  // 0: not published for this image size
};
void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class TorchvisionNets : public ::testing::TestWithParam<Published> {};

// "num_params" and "_ops" in torchvision's metadata of weights; 0.1 % is half a unit of the last digit of
// most.
TEST_P(TorchvisionNets, HaveItsParametersAndWork) {
  const Published& expected = GetParam();
  const Model model = source_model(expected.name);
  EXPECT_EQ(model.parameter_count(), expected.parameters);
  if (expected.gmac > 0) {
    EXPECT_NEAR(model.forward_multiply_adds() / 1e9, expected.gmac, 1e-3 * expected.gmac + 0.0006);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Published, TorchvisionNets,
    ::testing::Values(
        Published{"wide_resnet50_2", 68883240, 11.398}, Published{"wide_resnet101_2", 126886696, 22.753},
        Published{"resnext101_64x4d", 83455272, 15.46}, Published{"resnet50", 25557032, 4.089},
        Published{"resnet101", 44549160, 7.801}, Published{"vgg16", 138357544, 15.47},
        Published{"efficientnet-b0", 5288548, 0.386}, Published{"efficientnet-b1", 7794184, 0.687},
        Published{"efficientnet-b2", 9109994, 0}, Published{"efficientnet-b3", 12233232, 1.827},
        Published{"efficientnet-b4", 19341616, 4.394}, Published{"efficientnet-b5", 30389784, 10.266},
        Published{"efficientnet-b6", 43040704, 19.068}, Published{"efficientnet-b7", 66347960, 37.746},
        Published{"vit-b16", 86567656, 17.564}, Published{"vit-b32", 88224232, 4.409},
        Published{"vit-l16", 304326632, 61.555}, Published{"vit-l32", 306535400, 15.378},
        Published{"vit-h14", 632045800, 167.295}, Published{"maskrcnn-rn50-fpn", 44401393, 0},
        Published{"retinanet-rn50-fpn", 34014999, 0}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// The widely used implementation's count for two classes.
TEST(Unet, HasTheParametersOfItsLevels) {
  const Model model = source_model("unet-2d");
  EXPECT_EQ(model.parameter_count(), 31037698);
  EXPECT_EQ(model.output_elements, 2.0 * 572 * 572);
}

// A small volume by hand: levels of 2 and 4 channels on 4 x 4 x 4 voxels. 27 weights a channel pair, 2
// numbers a norm's channel, 8 weights a pair upwards.
TEST(Unet, InThreeDimensionsHasCubesForWindows) {
  UnetSpec spec;
  spec.channels = {2, 4};
  spec.volume = true;
  spec.inputs = 1;
  spec.image = 4;
  spec.classes = 3;
  const Model model = build_unet(spec);
  const std::int64_t down = 27 * (1 * 2 + 2 * 2 + 2 * 4 + 4 * 4) + 2 * (2 + 2 + 4 + 4);
  const std::int64_t up = 8 * 4 * 2 + 2 + 27 * (4 * 2 + 2 * 2) + 2 * (2 + 2) + 2 * 3 + 3;
  EXPECT_EQ(model.parameter_count(), down + up);
  // 64 voxels above, 8 below; each upward product belongs to one of the 8.
  EXPECT_EQ(model.forward_multiply_adds(),
            64 * 27 * (2 + 4) + 8 * 27 * (8 + 16) + 8 * 8 * 4 * 2 + 64 * 27 * (8 + 4) + 64 * 2 * 3);
  EXPECT_EQ(model.output_elements, 3 * 64);
}

// Maps of 100, 50, 25, 13 and 7 positions a side: 13,343 positions of 9 anchors with 4 values and 264
// classes.
TEST(RetinaNet, HasAnAnswerForEveryAnchor) {
  EXPECT_EQ(source_model("retinanet-resnext50").output_elements, 13343 * 9 * (4 + 264));
}

TEST(MaskRcnn, TakesMoreWorkForMoreRegions) {
  MaskRcnnSpec spec;
  const double before = build_mask_rcnn(spec).forward_multiply_adds();
  spec.boxes += 1;  // two layers and two predictors of one region
  const double box = 12544.0 * 1024 + 1024 * 1024 + 1024 * 91 * 5;
  EXPECT_DOUBLE_EQ(build_mask_rcnn(spec).forward_multiply_adds() - before, box);
}

}  // namespace
}  // namespace paceline
