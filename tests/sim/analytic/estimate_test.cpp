// The closed form against the engine on the same requests.
#include "sim/analytic/estimate.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

constexpr StrategyKind single = StrategyKind::single, dp = StrategyKind::data_parallel,
                       ddp = StrategyKind::distributed_data_parallel, horovod = StrategyKind::horovod,
                       mirrored = StrategyKind::mirrored, servers = StrategyKind::parameter_server;

struct EstimateCase {
  const char* model;
  const char* cluster;
  StrategyKind kind;
  int devices;
  int batch = 32;
  Precision precision = Precision::fp32;
  int accumulation = 1;
};

void PrintTo(const EstimateCase& each, std::ostream* out) {
  *out << each.model << " on " << each.cluster << ", " << title_of(each.kind) << " of " << each.devices
       << ", batch " << each.batch << ' ' << to_string(each.precision) << " x" << each.accumulation;
}

test::Step step_of(const EstimateCase& each, const Catalog& catalog) {
  test::StepCase what;
  what.model = each.model;
  what.cluster = each.cluster;
  what.kind = each.kind;
  what.devices = each.devices;
  what.batch = each.batch;
  what.precision = each.precision;
  what.strategy.accumulation = each.accumulation;
  if (each.kind == mirrored || each.kind == servers) what.strategy.framework = "tensorflow";
  if (std::string(each.model) == "gpt2") what.input.sequence = 256;
  return test::Step(what, catalog);
}

double relative_difference(const EstimateCase& each, const Catalog& catalog) {
  const test::Step step = step_of(each, catalog);
  const double finish = run(plan(step.request())).finish;
  return estimate(step.request()).step.value() / finish - 1;
}

// The same recurrences over the same costs: apart from rounding there is nothing to differ in.
constexpr double rounding = 1e-9;

class WithoutContention : public ::testing::TestWithParam<EstimateCase> {};

TEST_P(WithoutContention, IsTheEnginesStep) {
  EXPECT_NEAR(relative_difference(GetParam(), test::source_catalog()), 0, rounding);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WithoutContention,
    ::testing::Values(
        EstimateCase{"resnet50", "dgx-1v", single, 1}, EstimateCase{"resnet18", "dgx-1v", single, 1, 4},
        EstimateCase{"bert-base", "dgx-a100-80", single, 1, 16, Precision::fp16},
        EstimateCase{"gpt2", "2x-rtx-3090", single, 1, 4}, EstimateCase{"vgg16", "dgx-1v", single, 1, 32},
        EstimateCase{"resnet50", "dgx-1v", single, 1, 32, Precision::fp16, 4},
        EstimateCase{"resnet50", "dgx-1v", dp, 2}, EstimateCase{"resnet50", "dgx-1v", dp, 8},
        EstimateCase{"resnet50", "dgx-1v", dp, 8, 64, Precision::fp16},
        EstimateCase{"gpt2", "2x-rtx-3090-nvlink", dp, 2, 4}, EstimateCase{"gpt2", "2x-rtx-3090", dp, 2, 4},
        EstimateCase{"bert-base", "dgx-a100-80", dp, 8, 16, Precision::fp16},
        EstimateCase{"resnet50", "dgx-1v", dp, 4, 32, Precision::fp32, 2},
        EstimateCase{"mlp-4x2048", "cpu-node", single, 1, 64}, EstimateCase{"gpt2", "dgx-a100-80", dp, 4, 2},
        EstimateCase{"bert-base", "dgx-a100-80", dp, 8, 4, Precision::fp16, 3},
        EstimateCase{"resnet50", "dgx-1v", horovod, 1}, EstimateCase{"resnet50", "dgx-1v", mirrored, 1},
        EstimateCase{"resnet50", "dgx-1v", mirrored, 8},
        EstimateCase{"vgg16", "8x-v100-nvlink-10gbe", mirrored, 16},
        EstimateCase{"bert-base", "dgx-a100-80", mirrored, 32, 16, Precision::fp16, 2},
        EstimateCase{"resnet50", "dgx-1v", servers, 1}, EstimateCase{"resnet50", "dgx-1v", servers, 4},
        EstimateCase{"vgg16", "8x-v100-nvlink-10gbe", servers, 16},
        EstimateCase{"gpt2", "dgx-a100-80", servers, 32, 2},
        EstimateCase{"bert-base", "dgx-1v", servers, 16, 4}, EstimateCase{"resnet50", "dgx-1v", ddp, 1},
        EstimateCase{"bert-base", "dgx-1v", ddp, 1}));

// Boxes whose devices exchange data through host memory, in a copy of the catalog in which that does not slow
// kernels down: all-reduces then run beside backward without touching it.
class WithoutSlowdown : public test::TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    std::filesystem::copy(test::data_folder(), folder_, std::filesystem::copy_options::recursive);
    for (const char* file : {"links/pcie.json", "links/pcie-ada.json"}) {
      std::string link = read_file(path(file));
      const std::string field = "\"host_staged_slowdown\": 0.95";
      ASSERT_NE(link.find(field), std::string::npos);
      link.replace(link.find(field), field.size(), "\"host_staged_slowdown\": 0");
      write(file, link);
    }
  }
};

TEST_F(WithoutSlowdown, HorovodIsTheEnginesStep) {
  const Catalog catalog = Catalog::load(folder_.string());
  for (const EstimateCase& each :
       {EstimateCase{"resnet50", "2x-rtx-3090", horovod, 2},
        EstimateCase{"vgg16", "8x-rtx-4090", horovod, 4, 8},
        EstimateCase{"gpt2", "2x-rtx-3090", horovod, 2, 4},
        EstimateCase{"bert-base", "8x-rtx-4090", horovod, 8, 32, Precision::fp16},
        EstimateCase{"mlp-12x1024", "8x-rtx-4090", horovod, 8, 16},
        EstimateCase{"resnet50", "8x-rtx-4090", horovod, 8, 64, Precision::fp16, 4}}) {
    EXPECT_NEAR(relative_difference(each, catalog), 0, rounding) << ::testing::PrintToString(each);
  }
}

TEST_F(WithoutSlowdown, DdpIsTheEnginesStep) {
  const Catalog catalog = Catalog::load(folder_.string());
  for (const EstimateCase& each :
       {EstimateCase{"resnet50", "2x-rtx-3090", ddp, 2}, EstimateCase{"resnet50", "8x-rtx-4090", ddp, 8, 64},
        EstimateCase{"gpt2", "2x-rtx-3090", ddp, 2, 4}, EstimateCase{"vgg16", "8x-rtx-4090", ddp, 4, 8},
        EstimateCase{"bert-base", "8x-rtx-4090", ddp, 8, 32, Precision::fp16},
        EstimateCase{"mlp-12x1024", "8x-rtx-4090", ddp, 8, 256},
        EstimateCase{"resnet50", "8x-rtx-4090", ddp, 8, 64, Precision::fp16, 4}}) {
    EXPECT_NEAR(relative_difference(each, catalog), 0, rounding) << ::testing::PrintToString(each);
  }
}

TEST_F(WithoutSlowdown, HooksAndEveryMicroBatchAreTheEnginesStep) {
  const Catalog catalog = Catalog::load(folder_.string());
  for (const GradientHook hook : {GradientHook::none, GradientHook::fp16, GradientHook::power_sgd}) {
    for (const bool every : {false, true}) {
      for (const char* model : {"resnet50", "gpt2"}) {
        test::StepCase what{.model = model, .cluster = "8x-rtx-4090", .devices = 8, .batch = 4};
        what.kind = ddp;
        what.strategy.accumulation = 3;
        what.strategy.hook = hook;
        what.strategy.hook_rank = 2;
        what.strategy.synchronise_every_micro_batch = every;
        what.strategy.overlap = !every;
        const test::Step step(what, catalog);
        const double finish = run(plan(step.request())).finish;
        EXPECT_NEAR(estimate(step.request()).step.value() / finish, 1, rounding)
            << model << ' ' << hook_names()[static_cast<std::size_t>(hook)] << ' ' << every;
      }
    }
  }
}

// With contention backward is stretched by what each all-reduce takes from it, but a stretched device also
// gives a slow host time to come ahead, which the closed form does not see: up to 1.2 % where the host is the
// limit (BERT-large, 16 sequences in fp16 on an A100), 0.4 % elsewhere. Nor does it see that the input of
// nn.DataParallel comes in over the slots that its replicas are sent through (0.4 % of VGG16 on GTX 1080 Ti).
class WithContention : public ::testing::TestWithParam<EstimateCase> {};

TEST_P(WithContention, IsWithinTwoPercentOfTheEngine) {
  EXPECT_NEAR(relative_difference(GetParam(), test::source_catalog()), 0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WithContention,
    ::testing::Values(
        EstimateCase{"resnet50", "dgx-1v", ddp, 2}, EstimateCase{"resnet50", "dgx-1v", ddp, 8},
        EstimateCase{"resnet50", "dgx-1v", ddp, 8, 8}, EstimateCase{"resnet50", "dgx-1v", ddp, 32},
        EstimateCase{"vgg16", "dgx-1v", ddp, 8, 16},
        EstimateCase{"vgg16", "8x-v100-nvlink-10gbe", ddp, 16, 32},
        EstimateCase{"resnet50", "8x-v100-nvlink-10gbe", ddp, 16},
        EstimateCase{"bert-large", "dgx-a100-80", ddp, 64, 16, Precision::fp16},
        EstimateCase{"gpt2", "2x-rtx-3090-nvlink", ddp, 2, 4}, EstimateCase{"gpt2", "2x-rtx-3090", ddp, 2, 4},
        EstimateCase{"vgg16", "8x-1080ti", dp, 4},
        EstimateCase{"resnet50", "dgx-h100", ddp, 64, 128, Precision::fp16},
        EstimateCase{"mlp-12x1024", "cpu-1gbe", ddp, 2, 256},
        EstimateCase{"resnet50", "8x-rtx-4090", ddp, 8, 64}, EstimateCase{"resnet50", "dgx-1v", horovod, 8},
        EstimateCase{"vgg16", "8x-v100-nvlink-10gbe", horovod, 16, 32},
        EstimateCase{"bert-large", "dgx-a100-80", horovod, 64, 16, Precision::fp16},
        EstimateCase{"resnet50", "dgx-1v", ddp, 16, 32, Precision::fp16, 4}));

// Language models whose loss is left to device 0, batches that do not divide: the rest of nn.DataParallel.
TEST(Estimate, FollowsDataParallelIntoItsCorners) {
  test::StepCase what;
  what.model = "gpt2";
  what.input.sequence = 64;
  what.kind = dp;
  what.devices = 8;
  what.scattered = 27;
  for (const bool inside : {true, false}) {
    what.strategy.loss_in_model = inside;
    const test::Step step(what);
    const double finish = run(plan(step.request())).finish;
    EXPECT_NEAR(estimate(step.request()).step.value(), finish, finish * rounding) << inside;
  }
}

TEST(Estimate, RefusesWhatThePlannerRefuses) {
  const test::Step step = step_of({"resnet50", "dgx-1v", dp, 16}, test::source_catalog());
  EXPECT_THROW(static_cast<void>(plan(step.request())), InputError);
  EXPECT_THROW(static_cast<void>(estimate(step.request())), InputError);
}

TEST(Estimate, SumsUpItsParts) {
  const test::Step step = step_of({"resnet50", "dgx-1v", ddp, 8}, test::source_catalog());
  const Estimate parts = estimate(step.request());
  EXPECT_GT(parts.communication, Seconds(0));
  EXPECT_LE(parts.compute + parts.optimizer + parts.exposed_communication, parts.step);
}

}  // namespace
}  // namespace paceline
