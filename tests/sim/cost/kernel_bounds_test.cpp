// No kernel is faster than its device: arithmetic at the peak, bytes at the memory's rate.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

// Winograd needs at most four times fewer multiplications than the arithmetic of the convolution: 2.25 for
// the usual tiles, 4 for 4 x 4 outputs.
double fewer_multiplications(const Layer& layer, Precision precision) {
  const auto* convolution = std::get_if<Convolution>(&layer.work);
  const bool winograd = convolution && classify(*convolution) == ConvolutionClass::winograd;
  return winograd && precision == Precision::fp32 ? 4 : 1;
}

void expect_bounds(const test::Step& step, int batch, Precision precision, const Device& device) {
  const double peak = device.peak[static_cast<std::size_t>(precision)]->value();
  for (const Layer& layer : step.model().layers) {
    for (const LayerCost& cost :
         {step.kernels().forward(layer, batch), step.kernels().backward(layer, batch)}) {
      for (const Kernel& kernel : cost.kernels) {
        // Boards whose sustained clock lies above the data sheet's may exceed its peak by as much.
        const double reach =
            peak * std::max(1.0, device.clock_factor) * fewer_multiplications(layer, precision);
        ASSERT_GE(kernel.time.value(), kernel.traffic / device.memory_bandwidth / Seconds(1)) << kernel.name;
        // A fused causal attention kernel skips half of the products that are counted.
        const auto* attention = std::get_if<BatchedGemm>(&layer.work);
        const double counted = attention && attention->fused ? attention->visible_share() : 1;
        ASSERT_GE(kernel.time.value(), kernel.work.value() * counted / reach) << kernel.name;
      }
    }
  }
}

// Every device with constants, in every precision that it has.
TEST(KernelBounds, HoldOnEveryDevice) {
  const Catalog& catalog = test::source_catalog();
  int devices = 0;
  for (const std::string& name : catalog.hardware.cluster_names()) {
    const Device& device = catalog.hardware.device(catalog.hardware.cluster(name).device);
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::fp16}) {
      if (!device.peak[static_cast<std::size_t>(precision)]) continue;
      for (const char* model : {"resnet18", "vgg11", "bert-base"}) {
        SCOPED_TRACE(name + " " + to_string(precision) + " " + model);
        try {
          expect_bounds(test::Step({.model = model, .cluster = name, .precision = precision}), 16, precision,
                        device);
          ++devices;
        } catch (const InputError&) {  // no constants for this precision: nothing is predicted
        }
      }
    }
  }
  EXPECT_GT(devices, 200);
}

TEST(KernelBounds, HoldForEveryModel) {
  const Catalog& catalog = test::source_catalog();
  for (const std::string& model : catalog.models.names())
    for (const Precision precision : {Precision::fp32, Precision::fp16})
      expect_bounds(test::Step({.model = model, .precision = precision}), 2, precision,
                    catalog.hardware.device("v100-sxm2-16gb"));
}

// A layer with more samples never takes less time.
TEST(KernelTime, GrowsWithTheBatch) {
  for (const char* model : {"resnet50", "efficientnet-b0", "bert-base", "gpt2"}) {
    for (const Precision precision : {Precision::fp32, Precision::fp16}) {
      const test::Step step({.model = model, .precision = precision});
      Seconds before;
      for (const int batch : {1, 2, 3, 5, 8, 13, 32, 33, 64, 100, 128}) {
        const ComputeTime time = compute_time(step.request(), batch);
        EXPECT_GE(time.forward + time.backward, before) << model << " " << batch;
        before = time.forward + time.backward;
      }
    }
  }
}

TEST(KernelCosts, AreRefusedForAPrecisionThatTheDeviceLacks) {
  EXPECT_THROW(test::Step({.cluster = "dgx-1v", .precision = Precision::tf32}), InputError);
}

}  // namespace
}  // namespace paceline
