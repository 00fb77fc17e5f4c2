// Parameter servers: what their network lets through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

// Two layers of 10 ms forward and 20 ms backward, with 12.5 MB each. Sixteen workers in two nodes of eight;
// 10 Gb/s are 1.25 GB/s a node and server.
class ParameterServer : public ::testing::Test {
 protected:
  ParameterServer() {
    model_.parameters = {{"a", 3125000}, {"b", 3125000}};
    model_.layers = {test::lasting(10, 20, {0}), test::lasting(10, 20, {1})};
    strategy_.kind = StrategyKind::parameter_server;
    strategy_.placement = Placement::partitioned;
  }
  double step_ms(int devices = 16) {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    const KernelCost kernels = hardware_.kernels();
    const CollectiveCost collectives(hardware, hardware.cluster("8x-v100-nvlink-10gbe"), nullptr);
    program_ = plan({model_, strategy_, hardware_.framework, kernels, collectives, devices, 8, 1, devices,
                     ComputeScale{}});
    return paceline::run(program_).finish * 1e3;
  }

  Model model_;
  Strategy strategy_;
  test::PlainHardware hardware_;
  Program program_;
};

constexpr double ms_of_latency = 2;  // four transfers

// One server: all sixteen pull a layer through 1.25 GB/s, 16 x 12.5 / 1.25 = 160 ms. The first forward starts
// at 160, the second at 320; backward is over at 330 + 40. The second layer's gradients leave from 350 on,
// the first's when those are in, at 510: 670 ms.
TEST_F(ParameterServer, SharesItsNetworkAmongTheWorkers) { EXPECT_NEAR(step_ms(), 670, ms_of_latency); }

// Two: a server has half of each layer: 80 ms a layer, as much as the nodes' own networks allow (8 x 12.5
// / 1.25). Forward starts at 80 and 160, backward is over at 210; the gradients leave at 190 and 270: 350 ms.
// A third server does not help.
TEST_F(ParameterServer, MoreOfThemHelpUntilTheWorkersAreTheLimit) {
  strategy_.servers = 2;
  EXPECT_NEAR(step_ms(), 350, ms_of_latency);
  strategy_.servers = 3;
  EXPECT_NEAR(step_ms(), 350, ms_of_latency);
}

// A round robin over three servers leaves one empty: each of the other two keeps one of two equal variables,
// as if there were two of them, and is as busy as the workers' networks.
TEST_F(ParameterServer, TheFullestSetsThePace) {
  strategy_.placement = Placement::round_robin;
  strategy_.servers = 3;
  EXPECT_NEAR(step_ms(), 350, ms_of_latency);
}

// Asynchronous workers queue nowhere: each moves 12.5 MB at its node's share, 80 ms, as with two servers, but
// one server needs 16 x 25 / 1.25 = 320 ms for all of them: the worker's own 350 are longer. With 32 workers
// the server's 640 ms are.
TEST_F(ParameterServer, AsynchronousWorkersAreBoundByTheServer) {
  strategy_.asynchronous = true;
  EXPECT_NEAR(step_ms(16), 350, ms_of_latency);
  EXPECT_NEAR(step_ms(32), 640, ms_of_latency);
}

// Half of the network's rate for the transport: everything that moves takes twice as long. Pulls end at 320
// and 640, backward at 690; gradients leave at 670 and 990: 1,310 ms.
TEST_F(ParameterServer, ReachesWhatTheTransportDoes) {
  hardware_.framework.mirrored = MirroredEngine{};
  hardware_.framework.mirrored->network_share = 0.5;
  EXPECT_NEAR(step_ms(), 1310, ms_of_latency);
}

// In one node the variables are in host memory: 12.5 MB over a slot of at most 15.75 GB/s, no network.
TEST_F(ParameterServer, InOneNodeIsTheHost) {
  const double ms = step_ms(2);
  EXPECT_GT(ms, 60 + 2 * 12.5 / 15.75);
  EXPECT_LT(ms, 60 + 4 * 12.5 / 5);
  for (const Communication& each : program_.communications) EXPECT_EQ(each.kind, CommunicationKind::copy);
}

TEST_F(ParameterServer, RefusesWhatItCannotDo) {
  strategy_.accumulation = 2;
  EXPECT_THAT(test::refusal([&] { return step_ms(); }), HasSubstr("accumulation: found 2, expected 1"));
  strategy_.accumulation = 1;
  strategy_.servers = 2;
  EXPECT_THAT(test::refusal([&] { return step_ms(2); }), HasSubstr("strategy/servers: found 2, expected 1"));
}

}  // namespace
}  // namespace paceline
