// What DDP's communication hooks send, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "sim/cost/gradient_hook.h"
#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"

namespace paceline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// A classifier of 2048 inputs and 1000 outputs, a first convolution of 64 x 3 x 7 x 7, a product of 4 x 4.
Model three_matrices() {
  Model model;
  model.parameters = {{"conv", 9408}, {"small", 16}, {"weight", 2048000}, {"bias", 1000}};
  Layer conv, small, linear;
  conv.work = Convolution{.input_channels = 3, .output_channels = 64, .kernel_height = 7, .kernel_width = 7};
  conv.parameters = {0};
  small.work = Linear{1, 4, 4, true};
  small.parameters = {1};
  linear.work = Linear{1, 2048, 1000, true};
  linear.parameters = {2, 3};
  model.layers = {conv, small, linear};
  return model;
}

class Hooks : public ::testing::Test {
 protected:
  Hooks() {
    strategy_.kind = StrategyKind::distributed_data_parallel;
    hardware_.framework.power_sgd = test::source_catalog().frameworks.framework("pytorch").power_sgd;
  }
  [[nodiscard]] StepRequest request(const KernelCost& kernels, const CollectiveCost& collectives) const {
    return {model_, strategy_, hardware_.framework, kernels, collectives, 2, 8, 1, 2, ComputeScale{}};
  }
  HookWork work(double element = 4) {
    Bucket bucket{{0, 1, 2, 3}, Bytes(element * 2058424)};
    return hook_work(request(hardware_.kernels(), collectives_), bucket, element);
  }

  Model model_ = three_matrices();
  Strategy strategy_;
  test::PlainHardware hardware_;
  Profile profile_ = test::all_reduces_of(15);
  CollectiveCost collectives_{test::source_catalog().hardware,
                              test::source_catalog().hardware.cluster("dgx-1v"), &profile_};
};

// 2,058,424 elements: 8,233,696 B, of which half is sent. Before: 4 B read, 2 written, 2 and 2 for the
// division, 10 B an element at 1 GB/s = 20.58 ms; after: 2 and 4 B, 12.35 ms.
TEST_F(Hooks, OfSixteenBitsSendHalfTheBytes) {
  for (const GradientHook hook : {GradientHook::fp16, GradientHook::bf16}) {
    strategy_.hook = hook;
    const HookWork half = work();
    ASSERT_EQ(half.parts.size(), 1U);
    EXPECT_EQ(half.parts[0].message, Bytes(4116848));
    EXPECT_EQ(half.borrowed, Bytes(4116848));
    EXPECT_NEAR(half.before->time.value(), 0.02058424, 1e-9);
    EXPECT_NEAR(half.parts[0].after->time.value(), 0.012350544, 1e-9);
  }
}

// Rank 2: 1000 x 2048 becomes 2 x 1000 and 2 x 2048 elements, 64 x 147 becomes 128 and 294. 4 x 4 stays: its
// factors are 16 elements, not less than half of 16. With the bias 1016 elements are sent as they are, then
// 2128 and 4390 of the factors. 2,057,408 compressed elements: 6 passes of 4 B before, 5 after. Two shapes,
// two columns each: 2 x (2 x 2 + 4) launches.
TEST_F(Hooks, OfPowerSgdSendTwoFactorsAndTheRest) {
  strategy_.hook = GradientHook::power_sgd;
  strategy_.hook_rank = 2;
  hardware_.framework.host.backward_operator = microseconds(10);
  const HookWork low = work();
  ASSERT_EQ(low.parts.size(), 3U);
  EXPECT_EQ(low.parts[0].message, Bytes(4 * 1016));
  EXPECT_EQ(low.parts[1].message, Bytes(4 * 2128));
  EXPECT_EQ(low.parts[2].message, Bytes(4 * 4390));
  EXPECT_NEAR(low.before->time.value(), 2057408 * 24e-9, 1e-9);
  EXPECT_NEAR(low.parts[1].after->time.value(), 16 * 10e-6, 1e-12);
  EXPECT_NEAR(low.parts[2].after->time.value(), 2057408 * 20e-9, 1e-9);
  EXPECT_EQ(low.kept, Bytes(4 * (2058424 + 2128 + 4390)));
}

std::string refusal(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Hooks, ThatCompressNothingOrAreNotKnownAreRefused) {
  strategy_.hook = GradientHook::fp16;
  EXPECT_EQ(
      refusal([&] { static_cast<void>(work(2)); }),
      "hook: found \"fp16\", expected gradients of 32 bits: the framework reduces 16 bits already; remove "
      "it");
  strategy_.hook = GradientHook::power_sgd;
  hardware_.framework.name = "plain";
  hardware_.framework.power_sgd.reset();
  EXPECT_EQ(refusal([&] { static_cast<void>(work()); }),
            "hook: found \"power_sgd\", expected a hook that \"plain\" is known to have; choose framework "
            "\"pytorch\"");
}

// Every parameter of ResNet-50 that is a matrix: 53 convolutions and one linear layer; of GPT-2 four a layer
// of twelve and two embeddings.
TEST(MatrixShapes, AreThoseOfWeights) {
  const auto count = [](const char* name) {
    const auto shapes = matrix_shapes(test::source_catalog().models.build(name));
    return std::count_if(shapes.begin(), shapes.end(), [](const MatrixShape& each) { return each.rows > 0; });
  };
  EXPECT_EQ(count("resnet50"), 54);
  EXPECT_EQ(count("gpt2"), 50);
}

struct Reduced {
  std::vector<double> starts, bytes;
  double finish = 0;
};

Reduced reduced(const Strategy& strategy) {
  test::PlainHardware hardware;
  const Profile profile = test::all_reduces_of(15);
  const HardwareCatalog& catalog = test::source_catalog().hardware;
  Model model;
  model.parameters = {{"a", 1}};
  model.layers = {test::lasting(10, 20, {0})};
  const KernelCost kernels = hardware.kernels();
  const CollectiveCost collectives(catalog, catalog.cluster("dgx-1v"), &profile);
  const Program program = test::undisturbed(
      plan({model, strategy, hardware.framework, kernels, collectives, 2, 8, 1, 2, ComputeScale{}}));
  const Schedule schedule = run(program);
  Reduced result;
  result.finish = schedule.finish * 1e3;
  for (CommunicationId id = 0; id < program.communications.size(); ++id) {
    if (program.communications[id].kind != CommunicationKind::all_reduce) continue;
    result.starts.push_back(schedule.all_present[id] * 1e3);
    result.bytes.push_back(program.communications[id].message.value());
  }
  return result;
}

// Forward 10, backward 20, all-reduce 15 ms, nothing to overlap with. Two micro-batches, reduced once: 2 x 30
// + 15 = 75. Reduced each: 30, 45 | 75, 90.
TEST(EveryMicroBatch, IsReducedWithoutNoSync) {
  Strategy strategy;
  strategy.kind = StrategyKind::distributed_data_parallel;
  strategy.accumulation = 2;
  EXPECT_THAT(reduced(strategy).starts, ElementsAre(DoubleNear(60, 1e-3)));
  EXPECT_NEAR(reduced(strategy).finish, 75, 1e-3);
  strategy.synchronise_every_micro_batch = true;
  EXPECT_THAT(reduced(strategy).starts, ElementsAre(DoubleNear(30, 1e-3), DoubleNear(75, 1e-3)));
  EXPECT_NEAR(reduced(strategy).finish, 90, 1e-3);
  strategy.hook = GradientHook::bf16;
  EXPECT_THAT(reduced(strategy).bytes, ElementsAre(2, 2));
}

}  // namespace
}  // namespace paceline
