// Plans with their ranks folded and written out take the same times and the same memory, to the last bit.
#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "sim/memory/memory.h"
#include "sim/plan/plan.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

struct PlanCase {
  const char* model;
  const char* cluster;
  StrategyKind kind;
  int devices;
  Precision precision = Precision::fp32;
  int accumulation = 1;
  int scattered = 0;  // samples for all devices, where they do not divide
  GradientHook hook = GradientHook::none;
  bool every = false;  // micro-batch is synchronised
};

void PrintTo(const PlanCase& plan, std::ostream* out) {
  *out << plan.model << " on " << plan.cluster << ", " << title_of(plan.kind) << " of " << plan.devices;
}

std::vector<PlanCase> plan_cases() {
  std::vector<PlanCase> cases;
  for (const char* model : {"resnet18", "mlp-4x1024", "gpt2", "vgg11"}) {
    cases.push_back({model, "dgx-1v", StrategyKind::single, 1});
    for (const int devices : {2, 3, 4, 8})
      for (const StrategyKind kind : {StrategyKind::data_parallel, StrategyKind::distributed_data_parallel})
        cases.push_back({model, "dgx-1v", kind, devices});
  }
  cases.push_back({"resnet18", "8x-v100-nvlink-10gbe", StrategyKind::distributed_data_parallel, 16});
  cases.push_back(
      {"bert-base", "8x-rtx-4090", StrategyKind::distributed_data_parallel, 8, Precision::fp16, 3});
  cases.push_back({"bert-base", "8x-rtx-4090", StrategyKind::data_parallel, 4, Precision::fp16, 2});
  for (const GradientHook hook : {GradientHook::none, GradientHook::bf16, GradientHook::power_sgd})
    cases.push_back({"resnet18", "dgx-1v", StrategyKind::distributed_data_parallel, 8, Precision::fp32, 3, 0,
                     hook, true});
  constexpr StrategyKind horovod = StrategyKind::horovod;
  for (const int devices : {2, 3, 8}) cases.push_back({"resnet18", "dgx-1v", horovod, devices});
  cases.push_back({"vgg11", "8x-v100-nvlink-10gbe", horovod, 16});
  cases.push_back({"bert-base", "8x-rtx-4090", horovod, 8, Precision::fp16, 3});
  for (const StrategyKind kind : {StrategyKind::mirrored, StrategyKind::parameter_server}) {
    for (const int devices : {2, 3, 8}) cases.push_back({"resnet18", "dgx-1v", kind, devices});
    cases.push_back({"vgg11", "8x-v100-nvlink-10gbe", kind, 16});
  }
  cases.push_back({"bert-base", "8x-rtx-4090", StrategyKind::mirrored, 8, Precision::fp16, 3});
  for (const int samples : {10, 7, 4})  // five parts of two; seven, four of one
    cases.push_back({"resnet18", "dgx-1v", StrategyKind::data_parallel, 8, Precision::fp32, 1, samples});
  cases.push_back({"resnet18", "dgx-1v", StrategyKind::data_parallel, 4, Precision::fp32, 2, 7});  // 2 2 2 1
  return cases;
}

class Plans : public ::testing::TestWithParam<PlanCase> {};

std::uint32_t replicas(const Program& program, OpId op) {
  return program.ranks[program.streams[program.operations[op].stream].rank].multiplicity;
}

TEST_P(Plans, TakeTheSameFoldedAndWrittenOut) {
  const PlanCase& each = GetParam();
  test::StepCase what{.model = each.model, .cluster = each.cluster, .devices = each.devices, .batch = 4};
  what.kind = each.kind;
  what.precision = each.precision;
  what.strategy.accumulation = each.accumulation;
  if (each.kind == StrategyKind::mirrored || each.kind == StrategyKind::parameter_server)
    what.strategy.framework = "tensorflow";
  what.strategy.hook = each.hook;
  what.strategy.synchronise_every_micro_batch = each.every;
  what.scattered = each.scattered;
  if (std::string(each.model) == "gpt2") what.input.sequence = 128;
  const test::Step step(what);
  const Program folded = plan(step.request()), written_out = unfold(folded);
  ASSERT_EQ(written_out.device_count(), static_cast<std::size_t>(each.devices));
  const Schedule one = run(folded), other = run(written_out);
  EXPECT_EQ(one.finish, other.finish);
  OpId unfolded = 0;
  for (OpId op = 0; op < folded.operations.size(); ++op) {
    for (std::uint32_t replica = 0; replica < replicas(folded, op); ++replica, ++unfolded) {
      ASSERT_EQ(one.start[op], other.start[unfolded]) << folded.strings[folded.operations[op].name];
      ASSERT_EQ(one.end[op], other.end[unfolded]) << folded.strings[folded.operations[op].name];
    }
  }
  const auto memory = memory_by_rank(folded, one), every = memory_by_rank(written_out, other);
  std::size_t rank = 0;
  for (const RankMemory& part : memory) {
    for (std::uint32_t replica = 0; replica < part.multiplicity; ++replica, ++rank) {
      EXPECT_EQ(part.peak, every.at(rank).peak);
      EXPECT_EQ(part.peak_time, every.at(rank).peak_time);
    }
  }
  EXPECT_EQ(rank, every.size());
}

INSTANTIATE_TEST_SUITE_P(ManyModels, Plans, ::testing::ValuesIn(plan_cases()));

}  // namespace
}  // namespace paceline
