#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
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
