// What a strategy cannot be asked for: switches of PyTorch's reducer elsewhere.
#include "sim/study/setting_check.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

std::string refusal(const Strategy& strategy) {
  try {
    check_synchronisation(test::source_catalog().frameworks.framework(strategy.framework), strategy);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SettingCheck, AllowsHooksOfDdp) {
  Strategy strategy;
  strategy.kind = StrategyKind::distributed_data_parallel;
  strategy.hook = GradientHook::power_sgd;
  strategy.hook_rank = 2;
  strategy.static_graph = strategy.synchronise_every_micro_batch = true;
  EXPECT_EQ(refusal(strategy), "");
}

TEST(SettingCheck, RefusesThemElsewhere) {
  const std::string expected =
      ", expected the strategy \"ddp\" alone, without a mesh, of a framework that has PyTorch's reducer; "
      "remove "
      "it";
  Strategy strategy;
  strategy.kind = StrategyKind::horovod;
  strategy.static_graph = true;
  EXPECT_EQ(refusal(strategy), "static_graph: found true" + expected);
  strategy.synchronise_every_micro_batch = true;
  EXPECT_EQ(refusal(strategy), "synchronise_every_micro_batch: found true" + expected);
  strategy.hook = GradientHook::bf16;
  EXPECT_EQ(refusal(strategy), "hook: found \"bf16\"" + expected);
  strategy.hook_rank = 2;
  EXPECT_EQ(refusal(strategy),
            "hook_rank: found 2, expected 1 without the hook \"power_sgd\"; remove it, or choose that hook");
}

}  // namespace
}  // namespace paceline
