// Memory-bound operators, optimizers, convolutions and the host's timeline.
#include <gtest/gtest.h>

#include "sim/cost/kernel/convolution_time.h"
#include "sim/cost/kernel/launch_time.h"
#include "sim/cost/kernel/optimizer_time.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

// 85 % of an H100's 3.35 TB/s.
const MemoryRates h100{BytesPerSecond(0.85 * 3.35e12), Seconds(0)};

double optimizer_ms(Optimizer optimizer, OptimizerKernels kernels) {
  return optimizer_time(h100, {optimizer, kernels, 1e9, 100, false}).value() * 1e3;
}

// 28, 52 and 80 bytes a parameter at 2.8475 TB/s.
TEST(OptimizerTime, IsBytesOverBandwidth) {
  EXPECT_NEAR(optimizer_ms(Optimizer::adam, OptimizerKernels::fused), 9.83, 0.01);
  EXPECT_NEAR(optimizer_ms(Optimizer::lamb, OptimizerKernels::fused), 18.26, 0.01);
  EXPECT_NEAR(optimizer_ms(Optimizer::adam, OptimizerKernels::foreach), 28.09, 0.01);
}

// Adam over 300 tensors: 10 groups of 30 in one kernel each, in 8 each, and 8 for every tensor.
TEST(OptimizerTime, LaunchesOnePerGroupOperationOrTensor) {
  OptimizerWork work{Optimizer::adam, OptimizerKernels::fused, 1e6, 300, false};
  EXPECT_EQ(optimizer_launches(work), 10);
  work.kernels = OptimizerKernels::foreach;
  EXPECT_EQ(optimizer_launches(work), 80);
  work.kernels = OptimizerKernels::for_loop;
  EXPECT_EQ(optimizer_launches(work), 2400);
}

TEST(OptimizerTime, NoImplementationIsBelowTheFusedOne) {
  for (std::size_t each = 0; each < optimizer_count; ++each) {
    const auto optimizer = static_cast<Optimizer>(each);
    const auto bytes = [&](OptimizerKernels kernels) {
      return optimizer_bytes_per_parameter(optimizer, kernels, false);
    };
    EXPECT_GE(bytes(OptimizerKernels::foreach), bytes(OptimizerKernels::fused));
    EXPECT_EQ(bytes(OptimizerKernels::foreach), bytes(OptimizerKernels::for_loop));
    // Weight and gradient read, weight written, and every byte of state read and written.
    EXPECT_GE(bytes(OptimizerKernels::fused), Bytes(12) + optimizer_state_per_parameter(optimizer) * 2);
  }
}

// 1e6 elements of 2 bytes; the mask of dropout is a byte; cross entropy keeps 4 bytes an element.
TEST(OperatorTraffic, CountsWhatMustBeReadAndWritten) {
  const auto bytes = [](MemoryOperator what, Direction direction) {
    return operator_traffic(what, direction, 1e6, 2).value() / 1e6;
  };
  EXPECT_EQ(bytes(MemoryOperator::unary, Direction::forward), 4);
  EXPECT_EQ(bytes(MemoryOperator::add, Direction::backward), 0);
  EXPECT_EQ(bytes(MemoryOperator::dropout, Direction::forward), 5);
  EXPECT_EQ(bytes(MemoryOperator::batch_norm, Direction::backward), 10);
  EXPECT_EQ(bytes(MemoryOperator::eager_masked_softmax, Direction::forward), 16);
  EXPECT_EQ(bytes(MemoryOperator::cross_entropy, Direction::forward), 6);
  EXPECT_EQ(bytes(MemoryOperator::fused_cross_entropy, Direction::backward), 4);
  EXPECT_EQ(bytes(MemoryOperator::gated_unary, Direction::forward), 6);
  EXPECT_EQ(cast_traffic(1e6, 4, 2), Bytes(6e6));
  EXPECT_EQ(clipping_bytes(1e6, 4, true), Bytes(12e6));
  EXPECT_EQ(unscaling_bytes(1e6, 2), Bytes(4e6));
}

// 1000 kernels of 4 us: a host that takes 7 us each needs 7 ms, and the device waits; as a graph, 4 ms.
TEST(LaunchTimeline, TheSlowerOfHostAndDeviceDecides) {
  const std::vector<Launch> eager(1000, {microseconds(7), microseconds(4)});
  const LaunchTimeline slow = launch_timeline(eager);
  EXPECT_NEAR(slow.finish.value(), 7.004e-3, 1e-9);
  EXPECT_TRUE(slow.host_bound());
  std::vector<Launch> graph(1000, {Seconds(0), microseconds(4)});
  graph.front().host = host_time({microseconds(7), microseconds(5), microseconds(2.5), Seconds(1e-9)},
                                 ExecutionMode::graph, 1000, 1000);
  const LaunchTimeline fast = launch_timeline(graph);
  EXPECT_NEAR(fast.finish.value(), 4.0035e-3, 1e-9);
  EXPECT_FALSE(fast.host_bound());
}

// The host is 3 kernels ahead when it waits for the device: the fourth is launched only after the third has
// ended.
TEST(LaunchTimeline, ASynchronisationDrainsTheQueue) {
  std::vector<Launch> launches(4, {microseconds(1), microseconds(10)});
  launches[2].synchronises = true;
  EXPECT_NEAR(launch_timeline(launches).finish.value(), (1 + 30 + 1 + 10) * 1e-6, 1e-12);
}

Convolution block() {
  Convolution conv;
  conv.input_channels = conv.output_channels = 128;
  conv.input_height = conv.input_width = conv.output_height = conv.output_width = 28;
  conv.kernel_height = conv.kernel_width = 3;
  return conv;
}

// 32 images of 28 x 28, 128 channels, 3 x 3: m = 25088, n = 128, k = 1152.
TEST(ConvolutionTime, IsAnImplicitProduct) {
  const GemmShape forward = implicit_product(block(), 32, ConvolutionPass::forward, NumberFormat::bf16);
  EXPECT_EQ(forward.m, 25088);
  EXPECT_EQ(forward.n, 128);
  EXPECT_EQ(forward.k, 1152);
  EXPECT_EQ(forward.traffic, Bytes(2.0 * (2 * 25088 * 128 + 128 * 1152)));
  const GemmShape weight =
      implicit_product(block(), 32, ConvolutionPass::weight_gradient, NumberFormat::bf16);
  EXPECT_EQ(weight.k, 25088);
  Convolution strided = block();
  strided.stride = 2;
  strided.output_height = strided.output_width = 14;
  EXPECT_EQ(implicit_product(strided, 32, ConvolutionPass::data_gradient, NumberFormat::bf16).k, 288);
}

TEST(ConvolutionTime, NeverBeatsItsBounds) {
  const Catalog& catalog = test::source_catalog();
  for (const KernelRates& rates : catalog.kernel_rates.all()) {
    if (!rates.gemm[static_cast<std::size_t>(NumberFormat::bf16)]) continue;
    const GemmRates& gemm = *rates.gemm[static_cast<std::size_t>(NumberFormat::bf16)];
    for (const std::int64_t groups : {1, 4, 128})
      for (const auto pass :
           {ConvolutionPass::forward, ConvolutionPass::data_gradient, ConvolutionPass::weight_gradient}) {
        Convolution conv = block();
        conv.groups = groups;
        const GemmShape shape = implicit_product(conv, 32, pass, NumberFormat::bf16);
        const Seconds time = convolution_time(gemm, rates.multiprocessors, catalog.kernels, conv, 32, pass,
                                              NumberFormat::bf16);
        EXPECT_GE(time, shape.traffic / gemm.memory);
        if (groups != 128) {
          EXPECT_GE(time, Flops(2 * shape.batch * shape.m * shape.n * shape.k) / gemm.rate);
        }
      }
  }
}

}  // namespace
}  // namespace paceline
