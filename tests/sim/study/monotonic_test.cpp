// More work never takes less time, and neither does a slower link.
#include <gtest/gtest.h>

#include "sim/study/predict.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

constexpr StrategyKind single = StrategyKind::single, dp = StrategyKind::data_parallel,
                       ddp = StrategyKind::distributed_data_parallel;

struct Place {
  const char* model;
  const char* cluster;
  StrategyKind kind;
  int devices;
  Precision precision = Precision::fp32;
};

Scenario scenario(const Place& place) {
  Scenario asked;
  asked.model = place.model;
  asked.cluster = place.cluster;
  asked.strategy.kind = place.kind;
  asked.devices = place.devices;
  asked.precision = place.precision;
  if (asked.model.starts_with("gpt2")) asked.input.sequence = 128;
  return asked;
}

Seconds step(const Scenario& asked) { return predict(test::source_catalog(), asked).step; }

std::vector<Place> places() {
  return {{"resnet50", "dgx-1v", single, 1},
          {"resnet50", "dgx-1v", dp, 8},
          {"resnet50", "dgx-1v", ddp, 8},
          {"vgg16", "dgx-1v", ddp, 5},
          {"resnet50", "8x-v100-nvlink-10gbe", ddp, 32},
          {"gpt2", "2x-rtx-3090", ddp, 2},
          {"gpt2", "2x-rtx-3090-nvlink", dp, 2},
          {"bert-base", "dgx-a100-80", ddp, 64, Precision::fp16},
          {"vgg16", "4x-v100-10gbe", ddp, 16},
          {"resnet50", "dgx-h100", ddp, 16, Precision::fp16},
          {"mlp-12x1024", "cpu-1gbe", ddp, 8}};
}

std::string shown(const Place& place) {
  return std::string(place.model) + " on " + place.cluster + ", " + title_of(place.kind) + ' ' +
         std::to_string(place.devices);
}

TEST(Monotonic, TheStepGrowsWithTheBatch) {
  for (const Place& place : places()) {
    Scenario asked = scenario(place);
    Seconds before;
    for (const int batch : {1, 2, 4, 7, 16, 33, 64}) {
      asked.batch_per_device = batch;
      EXPECT_GE(step(asked), before) << shown(place) << " batch " << batch;
      before = step(asked);
    }
  }
}

TEST(Monotonic, TheStepGrowsWithTheMicroBatches) {
  for (const Place& place : places()) {
    Scenario asked = scenario(place);
    asked.strategy.accumulation = 3;
    EXPECT_GT(step(asked), step(scenario(place))) << shown(place);
  }
}

// From the fastest to the slowest. 0.1 % of the ports: with other NICs the library may change its mind, and
// of two algorithms that it thinks equal it sometimes takes the slower one.
TEST(Monotonic, ASlowerLinkNeverMakesTheStepShorter) {
  for (const Place& place : places()) {
    if (place.devices == 1) continue;
    Scenario asked = scenario(place);
    for (auto rate : {&Scenario::link_rate, &Scenario::port_rate}) {
      const double allowance = rate == &Scenario::port_rate ? 1e-3 : 1e-9;
      Seconds before;
      for (double gigabytes = 512; gigabytes > 0.01; gigabytes /= 2) {
        asked.*rate = gigabytes_per_second(gigabytes);
        const Seconds time = step(asked);
        EXPECT_GE(time.value(), before.value() * (1 - allowance))
            << shown(place) << ", " << gigabytes << " GB/s";
        before = time;
      }
      (asked.*rate).reset();
    }
  }
}

// VGG-16, batch 1 on 16 GPUs over 10 Gb/s: 553 MB take 2 S (N-1)/N over 0.6 x 1.25 GB/s = 0.74 s, compute 10
// ms. Twice the network almost halves the step: latencies and compute (3 %) stay.
TEST(Bandwidth, OfTheNetworkDecidesACommunicationBoundStep) {
  Scenario asked = scenario({"vgg16", "8x-v100-nvlink-10gbe", ddp, 16});
  asked.batch_per_device = 1;
  const Seconds once = step(asked);
  asked.port_rate = BytesPerSecond(2.5e9);
  EXPECT_NEAR(once / step(asked), 2, 0.1);
}

// The same over PCIe without network: V = 2 x 3/4 x 553 MB at 0.76 x 15.75 GB/s = 69 ms against 10 ms of
// compute.
TEST(Bandwidth, OfTheLinkDecidesACommunicationBoundStep) {
  Scenario asked = scenario({"vgg16", "4x-v100-pcie", ddp, 4});
  asked.batch_per_device = 1;
  const Prediction once = predict(test::source_catalog(), asked);
  asked.link_rate = BytesPerSecond(31.5e9);
  const Prediction twice = predict(test::source_catalog(), asked);
  EXPECT_NEAR(once.breakdown.communication / twice.breakdown.communication, 2, 0.1);
  EXPECT_LT(twice.step, once.step * 0.7);
}

// One process that copies everything through device 0 is never ahead of processes that overlap, where devices
// are the limit. (Under a link so slow that the device waits all the time the two may change places.)
TEST(Strategies, DataParallelIsNeverAheadOfDdp) {
  for (const int devices : {2, 4, 8}) {
    for (const char* model : {"resnet50", "vgg16", "bert-base"}) {
      Scenario asked = scenario({model, "dgx-1v", dp, devices});
      const Seconds one_process = step(asked);
      asked.strategy.kind = ddp;
      EXPECT_GE(one_process, step(asked)) << model << ' ' << devices;
    }
  }
}

// Nothing that a second device brings makes the first one faster.
TEST(Strategies, EfficiencyNeverExceedsOne) {
  for (const Place& place : places()) {
    if (place.devices == 1) continue;
    Scenario alone = scenario(place);
    alone.devices = 1;
    alone.strategy.kind = single;
    EXPECT_GE(step(scenario(place)), step(alone)) << shown(place);
  }
}

}  // namespace
}  // namespace paceline
