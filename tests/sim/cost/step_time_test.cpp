// Forward, backward and optimizer of whole nets, against a calculation of the same mechanisms that was made
// apart from this code.
#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

struct StepTimes {
  const char* name;
  const char *model, *cluster, *framework;
  int batch;
  Precision precision;
  Optimizer optimizer;
  double forward, backward, step;  // ms
  double tolerance = 0.02;
};

void PrintTo(const StepTimes& times, std::ostream* out) { *out << times.name; }

Framework framework_of(const std::string& name) {
  const FrameworkCatalog& known = test::source_catalog().frameworks;
  Framework framework = known.framework(name.starts_with("pytorch") ? name : "pytorch-ngc");
  if (name == "mxnet-ngc") {  // BatchNorm, activation and addition fused; NHWC
    framework.convolutional_traffic = 0.93;
    framework.mixed_precision_traffic = 1;
    framework.fused = framework.channels_last = true;
  }
  if (name == "tensorflow-2017") {
    framework.convolutional_traffic = 0.66;
    framework.dense_factor = 0.67;
    framework.channels_last = true;
  }
  if (name == "tensorflow-xla") {
    framework.transformer_traffic = 1.25;
    framework.mixed_precision_traffic = 1.16;
    framework.optimizer_traffic[static_cast<std::size_t>(Optimizer::lamb)] = Bytes(100);
  }
  return framework;
}

class StepTime : public ::testing::TestWithParam<StepTimes> {};

// The optimizer moves so many bytes a parameter, mixed precision casts 6 more: taken together as what is left
// of the step. 2 %: both calculations round the same constants to two or three digits. 3.5 % for BERT-large
// under XLA: of its framework, which the catalog does not have, two digits are known of each constant, and
// their product counts.
TEST_P(StepTime, IsThatOfTheMechanisms) {
  const StepTimes& expected = GetParam();
  const Catalog& catalog = test::source_catalog();
  test::StepCase what{.model = expected.model, .batch = expected.batch, .precision = expected.precision};
  if (what.model.starts_with("bert")) what.input.sequence = 128;
  what.strategy.optimizer = expected.optimizer;
  const test::Step step(what, catalog, catalog.hardware.cluster(expected.cluster),
                        framework_of(expected.framework));
  const ComputeTime time = compute_time(step.request(), expected.batch);
  Seconds rest = step.kernels().optimizer(step.model(), expected.optimizer).time;
  if (const auto casts = step.kernels().weight_casts(step.model())) rest += casts->time;
  const double rest_ms = expected.step - expected.forward - expected.backward;
  EXPECT_NEAR(time.forward.value() * 1e3, expected.forward, expected.forward * expected.tolerance);
  EXPECT_NEAR(time.backward.value() * 1e3, expected.backward, expected.backward * expected.tolerance);
  EXPECT_NEAR(rest.value() * 1e3, rest_ms, rest_ms * 0.02 + 0.05);  // the table's sums are rounded to 0.1 ms
}

INSTANTIATE_TEST_SUITE_P(
    CheckCases, StepTime,
    ::testing::Values(StepTimes{"ResNet50_V100_fp32", "resnet50", "dgx-1v", "pytorch", 32, Precision::fp32,
                                Optimizer::sgd, 35.74, 60.89, 97.03},
                      StepTimes{"ResNet50_V100_fp16_fused", "resnet50", "dgx-1v", "mxnet-ngc", 192,
                                Precision::fp16, Optimizer::momentum, 49.19, 87.40, 137.54},
                      StepTimes{"ResNet50_V100_fp16", "resnet50", "dgx-1v", "pytorch-ngc", 256,
                                Precision::fp16, Optimizer::momentum, 113.06, 197.94, 311.94},
                      StepTimes{"ResNet50_A100_fp16_fused", "resnet50", "dgx-a100-80", "mxnet-ngc", 256,
                                Precision::fp16, Optimizer::momentum, 28.01, 49.33, 77.8},
                      StepTimes{"VGG16_P100_fp32", "vgg16", "dgx-1p", "tensorflow-2017", 32, Precision::fp32,
                                Optimizer::sgd, 78.04, 142.38, 223.36},
                      StepTimes{"ResNet50v1_K80_fp32", "resnet50_v1", "p2.8xlarge", "tensorflow-2017", 64,
                                Precision::fp32, Optimizer::sgd, 438.97, 790.66, 1231.2},
                      StepTimes{"BertBase_V100_fp32", "bert-base", "dgx-1v", "pytorch-ngc", 32,
                                Precision::fp32, Optimizer::adam, 84.11, 154.18, 242.3},
                      StepTimes{"BertLarge_A100_fp16", "bert-large", "dgx-a100-40", "tensorflow-xla", 64,
                                Precision::fp16, Optimizer::lamb, 61.87, 96.06, 188.8, 0.035}),
    [](const auto& each) { return each.param.name; });

// Bytes of ResNet-50's memory-bound layers, batch 32, fp32, without the framework's factor 1.31. Forward:
// BatchNorm 3 x 4 B x 11.11e6 x 32 = 4.268 GB, ReLU 2.460, add 2.119, pooling 0.142;
// backward 7.113, 3.690, 2.119, 0.257.
TEST(Traffic, OfResNet50IsThatOfItsLayers) {
  const test::Step step({.model = "resnet50"});
  double forward = 0, backward = 0;
  for (const Layer& layer : step.model().layers) {
    if (!std::holds_alternative<ElementWise>(layer.work)) continue;
    const double factor = std::get<ElementWise>(layer.work).kind == ElementWiseKind::pooling ? 1 : 1.31;
    for (const Kernel& kernel : step.kernels().forward(layer, 32).kernels)
      forward += kernel.traffic.value() / factor;
    for (const Kernel& kernel : step.kernels().backward(layer, 32).kernels)
      backward += kernel.traffic.value() / factor;
  }
  EXPECT_NEAR(forward, 8.989e9, 0.005e9);
  EXPECT_NEAR(backward, 13.179e9, 0.005e9);
}

}  // namespace
}  // namespace paceline
