#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "sim/model/builders.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

// Counts published with the nets and totals of lists worked out by hand; M elements of one image.
struct Totals {
  const char* name;
  double gmac;
  double winograd_percent;
  std::int64_t parameters;
  std::size_t tensors;
  double batch_norm, activation, add;
};

void PrintTo(const Totals& totals, std::ostream* out) { *out << totals.name; }

// Of whole images: the gates of squeeze-and-excite parts, one element a channel, are not counted in the
// totals.
double elements_of(const Model& model, std::initializer_list<ElementWiseKind> kinds) {
  double sum = 0;
  for (const Layer& layer : model.layers) {
    const auto* work = std::get_if<ElementWise>(&layer.work);
    if (work == nullptr || layer.name.ends_with("activation")) continue;
    for (const ElementWiseKind kind : kinds)
      if (work->kind == kind) sum += work->elements;
  }
  return sum;
}

double winograd_share(const Model& model) {
  double sum = 0;
  for (const Layer& layer : model.layers)
    if (const auto* convolution = std::get_if<Convolution>(&layer.work))
      if (classify(*convolution) == ConvolutionClass::winograd) sum += multiply_adds(layer);
  return sum / model.forward_multiply_adds();
}

class ConvolutionalTotals : public ::testing::TestWithParam<Totals> {};

TEST_P(ConvolutionalTotals, AgreeToThePrintedDigits) {
  const Totals& expected = GetParam();
  const Model model = source_model(expected.name);
  EXPECT_NEAR(model.forward_multiply_adds() / 1e9, expected.gmac, 0.0051);
  EXPECT_NEAR(100 * winograd_share(model), expected.winograd_percent, 0.51);
  EXPECT_EQ(model.parameter_count(), expected.parameters);
  EXPECT_EQ(model.parameters.size(), expected.tensors);
  EXPECT_NEAR(elements_of(model, {ElementWiseKind::batch_norm}) / 1e6, expected.batch_norm, 0.0051);
  EXPECT_NEAR(elements_of(model, {ElementWiseKind::activation, ElementWiseKind::swish}) / 1e6,
              expected.activation, 0.0051);
  EXPECT_NEAR(elements_of(model, {ElementWiseKind::residual_add}) / 1e6, expected.add, 0.0051);
}

INSTANTIATE_TEST_SUITE_P(
    Nets, ConvolutionalTotals,
    ::testing::Values(Totals{"resnet50_v1.5", 4.09, 37, 25557032, 161, 11.11, 9.61, 5.52},
                      Totals{"resnet50_v1", 3.86, 48, 25557032, 161, 10.59, 9.08, 5.52},
                      Totals{"resnet101", 7.80, 44, 44549160, 314, 16.23, 14.73, 8.93},
                      Totals{"resnet152_v1", 11.28, 51, 60192808, 467, 22.03, 20.52, 13.15},
                      Totals{"resnet152_v1.5", 11.51, 47, 60192808, 467, 22.55, 21.05, 13.15},
                      Totals{"resnext50_32x4d", 4.23, 0, 25028904, 161, 14.40, 12.90, 5.52},
                      Totals{"resnext101_32x4d", 7.97, 0, 44177704, 314, 21.22, 19.72, 8.93},
                      Totals{"resnext101_32x8d", 16.41, 0, 88791336, 314, 31.21, 29.70, 8.93},
                      Totals{"se_resnext101_32x4d", 7.97, 0, 48955416, 446, 21.22, 19.72, 8.93},
                      Totals{"vgg16", 15.47, 99, 138357544, 32, 0, 13.56, 0},
                      Totals{"alexnet", 0.71, 82, 61100840, 16, 0, 0.49, 0},
                      Totals{"inception_v3", 5.71, 41, 23834568, 284, 8.97, 8.97, 0},
                      Totals{"efficientnet-b0", 0.39, 0, 5288548, 213, 6.74, 6.16, 0.21},
                      Totals{"efficientnet-b4", 4.39, 0, 19341616, 418, 49.46, 44.67, 3.24},
                      Totals{"ssd300-rn50", 20.15, 60, 22894902, 183, 30.58, 26.92, 16.15},
                      Totals{"resnet18", 1.81, 83, 11689512, 62, 2.48, 2.31, 0.75},
                      Totals{"resnet34", 3.66, 92, 21797672, 110, 3.74, 3.56, 1.38},
                      Totals{"vgg19", 19.63, 99, 143667240, 38, 0, 14.86, 0},
                      Totals{"vgg11", 7.61, 97, 132863336, 22, 0, 7.43, 0}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    });

TEST(ResNet50, KeepsWhatFrameworksWereSeenToKeep) {
  // 21,075,968 elements and 200,704 64-bit pooling indices an image, 2 x 26,560 fp32 statistics a call.
  const Model model = source_model("resnet50");
  EXPECT_EQ(saved_bytes(model, 1, 4), 86121984);
  EXPECT_EQ(saved_bytes(model, 4, 4), 343850496);
  EXPECT_EQ(saved_bytes(model, 64, 4), 5498420736);
}

TEST(ResNet50, HasTheBuffersAndModulesOfTheFramework) {
  const Model model = source_model("resnet50");
  EXPECT_EQ(4 * model.buffer_float_elements, 212480);
  EXPECT_EQ(model.buffer_integer_count, 53);
  EXPECT_EQ(model.modules, 151);
  EXPECT_EQ(model.input_bytes, 3 * 224 * 224 * 4);
  EXPECT_EQ(model.output_elements, 1000);
}

TEST(ResNet50, RegistersTheShortcutAfterTheMainBranch) {
  const Model model = source_model("resnet50");
  EXPECT_EQ(model.parameters.front().name, "conv1.weight");
  EXPECT_EQ(model.parameters[9].name, "layer1.0.conv3.weight");
  EXPECT_EQ(model.parameters[12].name, "layer1.0.downsample.0.weight");
  EXPECT_EQ(model.parameters.back().name, "fc.bias");
}

// Sizes of runs of tensors, taken from the last one backwards: how DistributedDataParallel fills its buckets,
// in the order in which gradients become ready and, with find_unused_parameters, in registration order.
TEST(ResNet50, FillsTheBucketsThatTheFrameworkReports) {
  const Model model = source_model("resnet50");
  expect_runs(model, {{2, 8196000}, {15, 31502336}, {12, 26255360}, {51, 26550272}, {81, 9724160}});
  expect_runs(model, {{7, 12410784}, {15, 31502336}, {24, 29669376}, {78, 27022336}, {37, 1623296}});
}

TEST(ConvolutionalNets, EveryTensorComesFromExactlyOneLayer) {
  const ModelCatalog catalog = source_catalog();
  for (const std::string& name : catalog.names()) {
    const Model model = catalog.build(name);
    std::vector<int> producers(model.parameters.size(), 0);
    for (const Layer& layer : model.layers)
      for (const std::size_t parameter : layer.parameters) ++producers.at(parameter);
    EXPECT_THAT(producers, ::testing::Each(1)) << name;
  }
}

TEST(ConvolutionalNets, OnlyTheFirstConvolutionNeedsNoInputGradient) {
  const Model model = source_model("resnet18");
  for (const Layer& layer : model.layers) {
    const auto* convolution = std::get_if<Convolution>(&layer.work);
    if (convolution == nullptr) continue;
    EXPECT_EQ(convolution->first, layer.name == "conv1") << layer.name;
  }
}

TEST(Ssd300, HasAnAnchorForEachBoxOfThePaper) {
  // 8,732 boxes of 4 coordinates and 81 labels.
  EXPECT_EQ(source_model("ssd300-rn50").output_elements, 8732 * 85);
}

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
        Published{"vit-h14", 632045800, 167.295}, Published{"maskrcnn-rn50-fpn", 44401393, 0}),
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

TEST(MaskRcnn, TakesMoreWorkForMoreRegions) {
  MaskRcnnSpec spec;
  const double before = build_mask_rcnn(spec).forward_multiply_adds();
  spec.boxes += 1;  // two layers and two predictors of one region
  const double box = 12544.0 * 1024 + 1024 * 1024 + 1024 * 91 * 5;
  EXPECT_DOUBLE_EQ(build_mask_rcnn(spec).forward_multiply_adds() - before, box);
}

TEST(ConvolutionalNets, ImagesOfTwiceTheSizeQuadrupleTheConvolutions) {
  const Model small = source_model("resnet50");
  const Model large = source_model("resnet50", {.image = 448});
  const double fc = 2048 * 1000;
  EXPECT_DOUBLE_EQ(large.forward_multiply_adds() - fc, 4 * (small.forward_multiply_adds() - fc));
  EXPECT_EQ(large.parameter_count(), small.parameter_count());
  EXPECT_EQ(large.input_bytes, 3 * 448 * 448 * 4);
}

TEST(ConvolutionalNets, AnImageSmallerThanTheLastWindowIsRefused) {
  EXPECT_THROW((void)source_model("vgg16", {.image = 16}), InputError);
}

TEST(Classify, SeparatesTheKindsOfConvolution) {
  Convolution convolution{.input_channels = 64, .output_channels = 64, .kernel_height = 3, .kernel_width = 3};
  EXPECT_EQ(classify(convolution), ConvolutionClass::winograd);
  convolution.stride = 2;
  EXPECT_EQ(classify(convolution), ConvolutionClass::dense);
  convolution = {.input_channels = 64, .output_channels = 64, .kernel_height = 1, .kernel_width = 7};
  EXPECT_EQ(classify(convolution), ConvolutionClass::dense);
  convolution.groups = 32;
  EXPECT_EQ(classify(convolution), ConvolutionClass::grouped);
  convolution.groups = 64;
  EXPECT_EQ(classify(convolution), ConvolutionClass::depthwise);
}

}  // namespace
}  // namespace paceline
