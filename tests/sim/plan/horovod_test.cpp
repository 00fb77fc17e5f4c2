// When Horovod's all-reduces run, and what travels in each.
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

// As in the test of DDP: a tensor of four bytes in each of three layers of 10 ms, below them 2 ms without.
class ThreeTensors : public ::testing::Test {
 protected:
  ThreeTensors() {
    model_.parameters = {{"a", 1}, {"b", 1}, {"c", 1}};
    model_.layers = {test::lasting(0, 2, {}), test::lasting(0, 10, {0}), test::lasting(0, 10, {1}),
                     test::lasting(0, 10, {2})};
    strategy_.kind = StrategyKind::horovod;
    strategy_.cycle_time = Seconds(0);
    hardware_.framework.horovod = HorovodEngine{mebibytes(64), Seconds(0), Seconds(0), Seconds(0)};
  }

  void run(int devices = 2, int per_node = 8) {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    const KernelCost kernels = hardware_.kernels();
    const CollectiveCost collectives(hardware, hardware.cluster("8x-v100-nvlink-10gbe"), &profile_);
    program_ = test::undisturbed(plan({model_, strategy_, hardware_.framework, kernels, collectives, devices,
                                       per_node, 1, devices, ComputeScale{}}));
    const Schedule schedule = paceline::run(program_);
    finish_ = schedule.finish * 1e3;
    for (OpId op = 0; op < program_.operations.size(); ++op) {
      const Operation& operation = program_.operations[op];
      if (operation.kind != OpKind::communication) continue;
      const Communication& communication = program_.communications[operation.communication];
      if (communication.kind != CommunicationKind::all_reduce) continue;
      starts_.push_back(schedule.all_present[operation.communication] * 1e3);
      bytes_.push_back(communication.message.value());
    }
  }

  Model model_;
  Strategy strategy_;
  test::PlainHardware hardware_;
  Profile profile_ = test::all_reduces_of(15);
  Program program_;
  std::vector<double> starts_, bytes_;
  double finish_ = 0;
};

constexpr double ms_of_copies = 1e-4;
auto near(double ms) { return DoubleNear(ms, ms_of_copies); }

// The host hands everything over at once (its launches cost nothing here), but a cycle of no length takes all
// of it: one response of 12 B, which waits for the last tensor at 30 ms. 30 + 15 = 45.
TEST_F(ThreeTensors, OfAHostThatIsFarAheadTravelTogether) {
  run();
  EXPECT_THAT(bytes_, ElementsAre(12));
  EXPECT_THAT(starts_, ElementsAre(near(30)));
  EXPECT_THAT(finish_, near(45));
}

// A threshold of one tensor: {c} {b} {a}, computed at 10, 20, 30 ms, 15 ms each, one after the other:
// starts 10, 25, 40; end 55.
TEST_F(ThreeTensors, ThatFillTheBufferTravelAlone) {
  strategy_.fusion_threshold = Bytes(4);
  run();
  EXPECT_THAT(bytes_, ElementsAre(4, 4, 4));
  EXPECT_THAT(starts_, ElementsAre(near(10), near(25), near(40)));
  EXPECT_THAT(finish_, near(55));
}

// Room for two: {c, b} is ready at 20 ms and ends at 35, {a} follows: 50.
TEST_F(ThreeTensors, AreTakenInTheirOrder) {
  strategy_.fusion_threshold = Bytes(11);
  run();
  EXPECT_THAT(bytes_, ElementsAre(8, 4));
  EXPECT_THAT(starts_, ElementsAre(near(20), near(35)));
  EXPECT_THAT(finish_, near(50));
}

// Everything handed over at the end of backward, 32 ms: 32 + 15 = 47.
TEST_F(ThreeTensors, WithoutOverlapStartAfterBackward) {
  strategy_.overlap = false;
  run();
  EXPECT_THAT(starts_, ElementsAre(near(32)));
  EXPECT_THAT(finish_, near(47));
}

// 1 ms a tensor on the way in and 1 ms on the way out: three tensors are copied from 30 to 33 ms, reduced
// until 48, copied out until 51. A tensor by itself needs no buffer: {a} after {c, b}, 20 + 2 + 15 + 2 = 39,
// then 39 + 15 = 54.
TEST_F(ThreeTensors, AreCopiedThroughTheBufferUnlessAlone) {
  hardware_.framework.horovod->per_tensor = milliseconds(2);
  run();
  EXPECT_THAT(finish_, near(51));
  strategy_.fusion_threshold = Bytes(8);
  run();
  EXPECT_THAT(finish_, near(54));
}

// Across nodes each tensor is negotiated, 20 ms here; the thread begins at once since the host is far ahead.
// Three tensors: 60 ms, then 15. Inside a node: as before.
TEST_F(ThreeTensors, AreNegotiatedBetweenNodes) {
  hardware_.framework.horovod->network_per_tensor = milliseconds(20);
  run(2, 8);
  EXPECT_THAT(finish_, near(45));
  run(16, 8);
  EXPECT_NEAR(starts_.back(), 60, ms_of_copies);
}

// One process has nothing to average and no buffer to copy through.
TEST_F(ThreeTensors, OfOneProcessStayWhereTheyAre) {
  run(1);
  EXPECT_TRUE(starts_.empty());
  EXPECT_THAT(finish_, near(32));
}

TEST_F(ThreeTensors, NeedAFrameworkThatHorovodIsKnownToRunWith) {
  hardware_.framework.horovod.reset();
  hardware_.framework.name = "abacus";
  EXPECT_EQ(
      test::refusal([&] {
        run();
        return 0;
      }),
      "strategy: found \"horovod\" with framework \"abacus\", expected a framework whose file has figures "
      "of Horovod; choose another framework, or add \"horovod\" to its file");
}

}  // namespace
}  // namespace paceline
