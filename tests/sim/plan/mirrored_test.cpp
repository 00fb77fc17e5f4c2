// All-reduce after backward by the framework itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Three layers of 10 ms with 4 B each, then 2 ms without: backward ends at 32 ms. An all-reduce takes 15 ms.
class Mirrored : public ::testing::Test {
 protected:
  Mirrored() {
    model_.parameters = {{"a", 1}, {"b", 1}, {"c", 1}};
    model_.layers = {test::lasting(0, 2, {}), test::lasting(0, 10, {0}), test::lasting(0, 10, {1}),
                     test::lasting(0, 10, {2})};
    strategy_.kind = StrategyKind::mirrored;
    hardware_.framework.mirrored = MirroredEngine{};
  }
  // In ms.
  double step(int devices = 2, int per_node = 8) {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    const KernelCost kernels = hardware_.kernels();
    const CollectiveCost collectives(hardware, hardware.cluster("8x-v100-nvlink-10gbe"), &profile_);
    program_ = test::undisturbed(plan({model_, strategy_, hardware_.framework, kernels, collectives, devices,
                                       per_node, 1, devices, ComputeScale{}}));
    return paceline::run(program_).finish * 1e3;
  }
  [[nodiscard]] std::vector<double> messages() const {
    std::vector<double> bytes;
    for (const Communication& each : program_.communications)
      if (each.kind == CommunicationKind::all_reduce) bytes.push_back(each.message.value());
    return bytes;
  }

  Model model_;
  Strategy strategy_;
  test::PlainHardware hardware_;
  Profile profile_ = test::all_reduces_of(15);
  Program program_;
};

constexpr double ms_of_copies = 1e-4;
auto near(double ms) { return DoubleNear(ms, ms_of_copies); }

// One pack of 12 B: 32 + 15.
TEST_F(Mirrored, ReducesOnePackAfterBackward) {
  EXPECT_THAT(step(), near(47));
  EXPECT_THAT(messages(), ElementsAre(12));
}

// Packs of 8 B: {c, b} and {a}, one after the other: 32 + 2 x 15.
TEST_F(Mirrored, PacksFollowEachOther) {
  hardware_.framework.mirrored->pack = Bytes(8);
  EXPECT_THAT(step(), near(62));
  EXPECT_THAT(messages(), ElementsAre(8, 4));
}

// 2 ms for each of three tensors: 32 + 6 + 15.
TEST_F(Mirrored, PaysForEveryTensor) {
  hardware_.framework.mirrored->per_tensor = milliseconds(2);
  EXPECT_THAT(step(), near(53));
}

// Between two nodes further 3 ms each: 9 ms more than without; and half the network's rate takes twice the
// time for the bytes, not for the latency.
TEST_F(Mirrored, PaysMoreBetweenNodes) {
  const double before = step(16);
  hardware_.framework.mirrored->network_per_tensor = milliseconds(3);
  EXPECT_THAT(step(16), near(before + 9));
  const Communication full = program_.communications.back();
  hardware_.framework.mirrored->network_share = 0.5;
  const double slower = step(16);
  EXPECT_NEAR(slower - (before + 9), (full.wire_bytes / full.rate).value() * 1e3, 1e-6);
}

// A device alone has nothing to reduce, and the wrapper costs nothing.
TEST_F(Mirrored, OnOneDeviceIsThePlainStep) {
  hardware_.framework.mirrored->per_tensor = milliseconds(2);
  EXPECT_THAT(step(1), near(32));
}

TEST_F(Mirrored, NeedsAFrameworkThatHasIt) {
  hardware_.framework.mirrored.reset();
  hardware_.framework.name = "abacus";
  EXPECT_THAT(test::refusal([&] { return step(); }),
              ::testing::StartsWith("strategy: found \"mirrored\" with framework \"abacus\""));
}

}  // namespace
}  // namespace paceline
