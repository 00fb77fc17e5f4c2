// Every word that publications use, and that others are not guessed at.
#include "sim/study/published_words.h"

#include <gtest/gtest.h>

#include "sim/study/published_parallel.h"

namespace paceline {
namespace {

TEST(PublishedWords, OfNumberFormats) {
  struct Case {
    const char* words;
    Precision precision;
    Fp8Recipe fp8;
  };
  for (const Case& each : {Case{"fp32", Precision::fp32, Fp8Recipe::none},
                           {"tf32", Precision::tf32, Fp8Recipe::none},
                           {"fp16", Precision::fp16, Fp8Recipe::none},
                           {"fp16-mixed", Precision::fp16, Fp8Recipe::none},
                           {"torch-amp", Precision::fp16, Fp8Recipe::none},
                           {"apex-o1", Precision::fp16, Fp8Recipe::none},
                           {"bf16", Precision::bf16, Fp8Recipe::none},
                           {"bf16-mixed", Precision::bf16, Fp8Recipe::none},
                           {"fp16 or bf16", Precision::bf16, Fp8Recipe::none},
                           {"fp8", Precision::bf16, Fp8Recipe::tensor},
                           {"fp8-alt", Precision::bf16, Fp8Recipe::tensor},
                           {"fp8-tensorwise", Precision::bf16, Fp8Recipe::tensor},
                           {"fp8-rowwise", Precision::bf16, Fp8Recipe::row},
                           {"mxfp8", Precision::bf16, Fp8Recipe::block}}) {
    const auto numbers = numbers_of(each.words);
    ASSERT_TRUE(numbers) << each.words;
    EXPECT_EQ(numbers->precision, each.precision) << each.words;
    EXPECT_EQ(numbers->fp8, each.fp8) << each.words;
  }
  for (const char* words : {"nvfp4", "", "int8", "fp8 "}) EXPECT_FALSE(numbers_of(words)) << words;
}

TEST(PublishedWords, OfDataParallelism) {
  EXPECT_EQ(kind_of("none", 0), StrategyKind::single);
  EXPECT_EQ(kind_of("dp", 0), StrategyKind::data_parallel);
  EXPECT_EQ(kind_of("ddp", 0), StrategyKind::distributed_data_parallel);
  EXPECT_EQ(kind_of("ddp", 2), StrategyKind::zero);
  EXPECT_EQ(kind_of("ddp+dist-opt", 1), StrategyKind::zero);
  EXPECT_EQ(kind_of("zero", 3), StrategyKind::zero);
  EXPECT_EQ(kind_of("zero", 0), StrategyKind::distributed_data_parallel);
  for (const char* words : {"fsdp", "fsdp2", "hsdp"})
    EXPECT_EQ(kind_of(words, 3), StrategyKind::fully_sharded);
  EXPECT_EQ(kind_of("horovod", 0), StrategyKind::horovod);
  for (const char* words : {"mirrored", "replicated", "replicated-nccl"})
    EXPECT_EQ(kind_of(words, 0), StrategyKind::mirrored);
  EXPECT_EQ(kind_of("parameter_server-cpu", 0), StrategyKind::parameter_server);
  for (const char* words : {"", "gossip", "multi-process", "ddp (LoRA adapters only)"})
    EXPECT_FALSE(kind_of(words, 0)) << words;
}

TEST(PublishedWords, OfRecomputation) {
  const auto of = [](const char* words, const char* framework = "megatron-lm") {
    return recompute_of(words, framework).value().recompute;
  };
  EXPECT_EQ(of(""), Recompute::none);
  EXPECT_EQ(of("none"), Recompute::none);
  EXPECT_EQ(of("none or selective (not stated)"), Recompute::none);
  EXPECT_EQ(of("selective"), Recompute::selective);
  EXPECT_EQ(of("selective", "fms-fsdp compile"), Recompute::half);
  EXPECT_EQ(of("selective-op"), Recompute::operators);
  EXPECT_EQ(of("full"), Recompute::full);
  EXPECT_EQ(of("norm+act"), Recompute::none);
  EXPECT_EQ(recompute_of("norm+act", "megatron-core moe")->modules,
            (std::vector<std::string>{"layernorm", "moe_act"}));
  EXPECT_FALSE(recompute_of("some", "megatron-lm"));
}

TEST(PublishedWords, OfOptimizers) {
  for (const char* words : {"adam", "adamw", "muon", "adam, fp32 master", "lamb->adam"})
    EXPECT_EQ(optimizer_of(words, "gpt"), Optimizer::adam) << words;
  EXPECT_EQ(optimizer_of("", "gpt"), Optimizer::adam);
  EXPECT_EQ(optimizer_of("", "cnn"), Optimizer::momentum);
  EXPECT_FALSE(optimizer_of("shampoo", "gpt"));
}

TEST(PublishedWords, OfSchedulesAndExchanges) {
  EXPECT_EQ(schedule_of("1f1b"), PipelineSchedule::one_forward_one_backward);
  EXPECT_EQ(schedule_of("gpipe"), PipelineSchedule::gpipe);
  for (const char* words : {"interleaved", "interleaved-1f1b"})
    EXPECT_EQ(schedule_of(words), PipelineSchedule::interleaved);
  EXPECT_EQ(schedule_of("zb-h1"), PipelineSchedule::zero_bubble_h1);
  for (const char* words : {"zbv", "zb-v"}) EXPECT_EQ(schedule_of(words), PipelineSchedule::zero_bubble_v);
  EXPECT_EQ(schedule_of("dualpipe"), PipelineSchedule::dual_pipe);
  EXPECT_FALSE(schedule_of("chimera"));
  EXPECT_EQ(dispatcher_of("alltoall"), Dispatcher::all_to_all);
  EXPECT_EQ(dispatcher_of("deepep"), Dispatcher::deep_ep);
  EXPECT_EQ(dispatcher_of("hybridep"), Dispatcher::hybrid_ep);
  EXPECT_FALSE(dispatcher_of("pigeons"));
  for (const char* words : {"ring", "p2p"}) EXPECT_EQ(context_exchange_of(words), ContextExchange::ring);
  EXPECT_EQ(context_exchange_of("all-gather"), ContextExchange::all_gather);
  EXPECT_EQ(context_exchange_of("all-to-all"), ContextExchange::all_to_all);
  EXPECT_FALSE(context_exchange_of("broadcast"));
}

// 96 layers on 8 stages: 12 = 2 x 6. 80 on 4: 20 = 4 x 5. 105 on 35: 3. 126 on 8 does not divide. 13 is
// prime.
TEST(PublishedWords, OfVirtualStagesThatAreNotStated) {
  EXPECT_EQ(usual_virtual_stages(96, 8), 6);
  EXPECT_EQ(usual_virtual_stages(80, 4), 5);
  EXPECT_EQ(usual_virtual_stages(105, 35), 3);
  EXPECT_EQ(usual_virtual_stages(128, 64), 2);
  EXPECT_EQ(usual_virtual_stages(126, 8), 1);
  EXPECT_EQ(usual_virtual_stages(13, 1), 1);
}

}  // namespace
}  // namespace paceline
