// What nn.DataParallel does in a step, and in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

struct Ran {
  explicit Ran(const test::StepCase& what) : Ran(test::Step(what)) {}
  explicit Ran(const test::Step& step) : program(plan(step.request())), schedule(run(program)) {}

  // When operations whose names begin so start first and end last, on any device.
  [[nodiscard]] double first_start(std::string_view name) const {
    double first = schedule.finish;
    for (OpId op = 0; op < program.operations.size(); ++op)
      if (named(op, name)) first = std::min(first, schedule.start[op]);
    return first;
  }
  [[nodiscard]] double last_end(std::string_view name) const {
    double last = 0;
    for (OpId op = 0; op < program.operations.size(); ++op)
      if (named(op, name)) last = std::max(last, schedule.end[op]);
    return last;
  }
  [[nodiscard]] int count(CommunicationKind kind) const {
    return static_cast<int>(std::count_if(program.communications.begin(), program.communications.end(),
                                          [kind](const Communication& each) { return each.kind == kind; }));
  }
  [[nodiscard]] bool named(OpId op, std::string_view name) const {
    return program.strings[program.operations[op].name].starts_with(name);
  }

  Program program;
  Schedule schedule;
};

test::StepCase on(int devices, const std::string& model = "resnet50") {
  test::StepCase what;
  what.model = model;
  what.devices = devices;
  what.kind = StrategyKind::data_parallel;
  return what;
}

// 9 chunks of parameters and one of buffers; 13 chunks of gradients; outputs gathered, their gradient
// scattered.
TEST(DataParallel, BroadcastsAndReducesInItsChunks) {
  const Ran ran(on(4));
  EXPECT_EQ(ran.count(CommunicationKind::broadcast), 10);
  EXPECT_EQ(ran.count(CommunicationKind::reduce), 13);
  EXPECT_EQ(ran.program.device_count(), 4U);
}

// Forward needs the whole replica, the reduction every gradient.
TEST(DataParallel, OverlapsNoCommunicationWithCompute) {
  const Ran ran(on(4));
  EXPECT_GE(ran.first_start("conv1 fprop"), ran.last_end("ncclDevKernel_Broadcast"));
  EXPECT_GE(ran.first_start("ncclDevKernel_Reduce"), ran.last_end("conv1 wgrad"));
  EXPECT_GE(ran.first_start("optimizer step"), ran.last_end("ncclDevKernel_Reduce"));
}

TEST(DataParallel, StepsTheOptimizerOnDeviceZeroAlone) {
  const Ran ran(on(8));
  for (OpId op = 0; op < ran.program.operations.size(); ++op) {
    if (!ran.named(op, "optimizer step")) continue;
    EXPECT_EQ(ran.program.ranks[ran.program.streams[ran.program.operations[op].stream].rank].name, "GPU 0");
  }
}

// One Python thread a replica under one lock: 8 x 500 x 6 us = 24 ms of host time before the last kernel of
// forward, whatever the device takes.
TEST(DataParallel, RunsOneReplicaAfterTheOtherOnTheHost) {
  test::PlainHardware plain;
  plain.framework.host.forward_operator = microseconds(6);
  Model model;
  model.layers = {test::lasting(0.001, 0.001, {})};
  std::get<Traffic>(model.layers[0].work).forward_kernels = 500;
  Strategy strategy;
  strategy.kind = StrategyKind::data_parallel;
  const KernelCost kernels = plain.kernels();
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  const CollectiveCost collectives(hardware, hardware.cluster("dgx-1v"), nullptr);
  const Program program =
      plan({model, strategy, plain.framework, kernels, collectives, 8, 8, 1, 8, ComputeScale{}});
  const Schedule schedule = run(program);
  EXPECT_NEAR(schedule.finish, 24e-3 + 2e-6, 1e-4);
  EXPECT_GE(schedule.finish, 24e-3);
}

// The module runs by itself: what is left of nn.DataParallel is the copy of the input before it, not beside
// it. The host dispatches the first operator (20 us) meanwhile.
TEST(DataParallel, OfOneDeviceIsThePlainStepAfterItsInput) {
  test::StepCase alone = on(1);
  const Ran wrapped(alone);
  alone.kind = StrategyKind::single;
  const test::Step step(alone);
  const Ran plain(step);
  EXPECT_EQ(wrapped.count(CommunicationKind::broadcast), 0);
  const double input = step.collectives().host_copy(Bytes(step.model().input_bytes * 32)).total().value();
  const double dispatch = step.framework().host.forward_operator.value();
  ASSERT_GT(input, dispatch);
  EXPECT_NEAR(wrapped.schedule.finish, plain.schedule.finish + input - dispatch, 1e-9);
}

// Ten samples for eight devices: parts of two, five replicas, three devices idle. Their collectives are those
// of five devices.
TEST(DataParallel, LeavesDevicesWithoutSamplesIdle) {
  test::StepCase what = on(8);
  what.scattered = 10;
  const Ran ran(what);
  EXPECT_EQ(ran.program.device_count(), 8U);
  EXPECT_EQ(ran.program.ranks.back().name, "GPU 5-7 (idle)");
  for (const Communication& communication : ran.program.communications) {
    if (communication.kind == CommunicationKind::broadcast ||
        communication.kind == CommunicationKind::reduce) {
      EXPECT_EQ(communication.ranks, 5U);
    }
  }
  test::StepCase five = on(5);
  five.scattered = 10;
  EXPECT_EQ(ran.schedule.finish, Ran(five).schedule.finish);
}

// The last part is smaller: 7 samples on 4 devices are 2, 2, 2, 1, and the step is no shorter than that of 8.
TEST(DataParallel, WaitsForTheLargestPart) {
  test::StepCase uneven = on(4), even = on(4);
  uneven.scattered = 7;
  even.scattered = 8;
  EXPECT_LE(Ran(uneven).schedule.finish, Ran(even).schedule.finish);
  EXPECT_GT(Ran(uneven).schedule.finish, Ran(even).schedule.finish * 0.99);
}

// Backward is called when forward has returned; its threads do not run ahead of that.
TEST(DataParallel, LaunchesBackwardAfterForward) {
  const Ran ran(on(4));
  double returned = 0, launched = ran.schedule.finish;
  for (OpId op = 0; op < ran.program.operations.size(); ++op) {
    const Operation& operation = ran.program.operations[op];
    if (operation.family != Family::host) continue;
    const std::string& phase = ran.program.phases[operation.phase];
    if (phase == "forward") returned = std::max(returned, ran.schedule.end[op]);
    if (phase == "backward") launched = std::min(launched, ran.schedule.start[op]);
  }
  EXPECT_GT(returned, 0);
  EXPECT_GE(launched, returned);
}

// Python comes back from backward when everything is launched: the second micro-batch's replicas are made
// after it.
TEST(DataParallel, MakesTheNextReplicasAfterBackward) {
  test::StepCase what = on(4);
  what.strategy.accumulation = 2;
  const Ran ran(what);
  double second = 0;
  for (OpId op = 0; op < ran.program.operations.size(); ++op)
    if (ran.named(op, "replicate (module copies)")) second = ran.schedule.start[op];
  double launched = ran.schedule.finish;  // of the first backward's last layer
  for (OpId op = 0; op < ran.program.operations.size(); ++op)
    if (ran.named(op, "conv1 backward")) launched = std::min(launched, ran.schedule.end[op]);
  EXPECT_GE(second, launched);
}

// Casting the weights to 16 bit, 6 B a parameter, is part of every replica's forward, as it is of a plain
// step.
TEST(DataParallel, CastsItsWeightsUnderMixedPrecision) {
  test::StepCase mixed = on(2);
  mixed.precision = Precision::fp16;
  for (const StrategyKind kind : {StrategyKind::single, StrategyKind::data_parallel}) {
    mixed.kind = kind;
    mixed.devices = kind == StrategyKind::single ? 1 : 2;
    EXPECT_LT(Ran(mixed).first_start("cast weights"), Ran(mixed).schedule.finish);
  }
}

TEST(DataParallel, OverSeveralNodesIsRefused) {
  test::StepCase what = on(16);
  EXPECT_EQ(test::refusal([&] { return plan(test::Step(what).request()); }),
            "devices: found 16 on nodes of 8, expected devices of one node: nn.DataParallel is one process; "
            "use DDP, or at most the devices of one node");
}

}  // namespace
}  // namespace paceline
