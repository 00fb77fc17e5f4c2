// What DDP copies between gradients and buckets.
#include <gtest/gtest.h>

#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"

namespace paceline {
namespace {

struct Copies {
  double seconds = 0;
  int to_bucket = 0;
};

Copies copies_of(bool view, Seconds per_tensor) {
  test::PlainHardware hardware;
  hardware.device.memory_bandwidth = gigabytes_per_second(2000);
  hardware.framework.gradients.per_tensor = per_tensor;
  const Catalog& catalog = test::source_catalog();
  const Model model = catalog.models.build("resnet50");
  Strategy strategy;
  strategy.kind = StrategyKind::distributed_data_parallel;
  strategy.gradient_as_bucket_view = view;
  const KernelCost kernels = hardware.kernels();
  const CollectiveCost collectives(catalog.hardware, catalog.hardware.cluster("dgx-1v"), nullptr);
  const Program program =
      plan({model, strategy, hardware.framework, kernels, collectives, 8, 8, 1, 8, ComputeScale{}});
  Copies copies;
  for (const Operation& operation : program.operations) {
    const std::string_view name = program.strings[operation.name];
    if (name == "gradient to bucket") ++copies.to_bucket;
    if (name == "gradient to bucket" || name == "bucket to gradient") copies.seconds += operation.seconds;
  }
  return copies;
}

// P = 102,228,128 B of ResNet-50 at 2 TB/s: into the buckets and back, read and written each: 4 P = 0.2045
// ms; a view is only divided in place: 2 P = 0.1022 ms.
TEST(DdpCopies, MoveFourTimesTheGradientsAndAViewTwice) {
  EXPECT_NEAR(copies_of(false, Seconds(0)).seconds, 4 * 102228128 / 2e12, 1e-12);
  EXPECT_NEAR(copies_of(true, Seconds(0)).seconds, 2 * 102228128 / 2e12, 1e-12);
  EXPECT_EQ(copies_of(false, Seconds(0)).to_bucket, 161);
}

// Two small kernels a tensor, one with a view: 161 x 35 us.
TEST(DdpCopies, CostTwoKernelsATensor) {
  const Seconds each = microseconds(35);
  EXPECT_NEAR(copies_of(false, each).seconds - copies_of(false, Seconds(0)).seconds, 161 * 35e-6, 1e-9);
  EXPECT_NEAR(copies_of(true, each).seconds - copies_of(true, Seconds(0)).seconds, 161 * 17.5e-6, 1e-9);
}

}  // namespace
}  // namespace paceline
