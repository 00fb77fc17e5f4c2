// Megatron's options for the fields that they mean.
#include <gtest/gtest.h>

#include "sim/study/scenario.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

Scenario read(const std::string& fields) {
  return read_scenario(
      JsonValue::parse_text(R"({"format": "paceline/scenario-1", )" + fields + "}", "s.json"),
      {&test::source_catalog(), ""});
}

Parallelism of(const std::string& options) {
  return read(R"("strategy": {"kind": "ddp", )" + options + "}").strategy.parallel;
}

std::string refused(const std::string& options) {
  return test::refusal([&] { return of(options); });
}

TEST(MegatronOptions, DegreesInBothSpellings) {
  const Parallelism expected = of(R"("tensor": 8, "pipeline": 4, "context": 2, "expert": 16)");
  EXPECT_EQ(of(R"("tensor_model_parallel_size": 8, "pipeline_model_parallel_size": 4,
                  "context_parallel_size": 2, "expert_model_parallel_size": 16)"),
            expected);
  EXPECT_EQ(of(R"("--tensor-model-parallel-size": 8, "--pipeline-model-parallel-size": 4,
                  "--context-parallel-size": 2, "--expert-model-parallel-size": 16)"),
            expected);
}

TEST(MegatronOptions, Switches) {
  EXPECT_EQ(of(R"("overlap_grad_reduce": true, "overlap_param_gather": false, "sequence_parallel": true,
                  "tp_comm_overlap": true, "no_overlap_p2p_communication": true,
                  "accumulate_allreduce_grads_in_fp32": true, "moe_grouped_gemm": true,
                  "use_tp_pp_dp_mapping": true, "optimizer_cpu_offload": true)"),
            of(R"("overlap_gradients": true, "overlap_parameters": false, "sequence_parallel": true,
                  "tensor_overlap": true, "pipeline_overlap": false, "gradient_bytes": 4,
                  "grouped_experts": true, "rank_order": "tp-cp-pp-dp", "offload_optimizer": "cpu")"));
}

TEST(MegatronOptions, Words) {
  EXPECT_EQ(of(R"("recompute_granularity": "full", "recompute_method": "uniform", "recompute_num_layers": 1,
                  "moe_token_dispatcher_type": "flex", "cp_comm_type": "a2a", "fp8_recipe": "delayed",
                  "data_parallel_sharding_strategy": "optim_grads")"),
            of(R"("recompute": "full", "dispatcher": "deepep", "context_exchange": "all-to-all",
                  "fp8": "tensor", "zero_stage": 2)"));
  EXPECT_EQ(of(R"("recompute_activations": true)"), of(R"("recompute": "selective")"));
}

// 96 layers / (4 stages x 6 layers) = 4.
TEST(MegatronOptions, LayersOfAVirtualStageNeedTheModel) {
  const std::string options = R"("strategy": {"kind": "ddp", "pipeline_model_parallel_size": 4,
      "num_layers_per_virtual_pipeline_stage": 6})";
  EXPECT_EQ(read(R"("model": "gpt3-175b", )" + options).strategy.parallel.degrees.virtual_stages, 4);
  const auto refusal = [&](const std::string& model) {
    return test::refusal([&] { return read(model + options); });
  };
  EXPECT_EQ(
      refusal(""),
      "s.json: /strategy/num_layers_per_virtual_pipeline_stage: found 6, expected a transformer whose number "
      "of layers is known here; give \"virtual_stages\" instead");
  EXPECT_EQ(
      refusal(R"("model": "llama3-8b", )"),
      "s.json: /strategy/num_layers_per_virtual_pipeline_stage: found 6, expected a divisor of 32 layers / 4 "
      "stages; give \"virtual_stages\" instead");
}

// 1536 samples / (2 x 64 devices / (8 x 4)) = 384 micro-batches.
TEST(MegatronOptions, BothBatchSizesGiveTheMicroBatches) {
  const std::string split = R"("devices": 64, "strategy": {"kind": "ddp", "tensor": 8, "pipeline": 4}, )";
  const Scenario scenario = read(split + R"("micro_batch_size": 2, "global_batch_size": 1536)");
  EXPECT_EQ(scenario.batch_per_device, 2);
  EXPECT_EQ(scenario.strategy.accumulation, 384);
  EXPECT_FALSE(scenario.global_batch.has_value());
  EXPECT_EQ(read(split + R"("global_batch_size": 1536)").global_batch, 1536);
  const auto refusal = [&](const std::string& sizes) {
    return test::refusal([&] { return read(split + sizes); });
  };
  EXPECT_EQ(
      refusal(R"("micro_batch_size": 2, "global_batch_size": 1538)"),
      "s.json: /global_batch_size: found 1538, expected a multiple of 2 samples x 64 devices / (32 devices a "
      "copy of the model)");
  EXPECT_EQ(
      refusal(R"("batch_per_device": 2, "global_batch_size": 1536)"),
      "s.json: /global_batch_size: found 1536, expected one of \"global_batch\" and \"batch_per_device\"; "
      "remove one of them");
  EXPECT_EQ(
      refusal(R"("batch_per_device": 2, "micro_batch_size": 2)"),
      "s.json: /micro_batch_size: found 2, expected one of \"batch_per_device\" and \"micro_batch_size\"; "
      "remove one of them");
}

TEST(MegatronOptions, OneWordAField) {
  EXPECT_EQ(refused(R"("tensor": 2, "tensor_model_parallel_size": 2)"),
            "s.json: /strategy/tensor_model_parallel_size: found 2, expected one of \"tensor\" and "
            "\"tensor_model_parallel_size\"; remove one of them");
  EXPECT_EQ(
      refused(R"("recompute_granularity": "full", "recompute_activations": true)"),
      "s.json: /strategy/recompute_activations: found true, expected one of \"recompute_granularity\" and "
      "\"recompute_activations\"; remove one of them");
  EXPECT_EQ(
      refused(R"("context_parallel_size": 2, "--context-parallel-size": 2)"),
      "s.json: /strategy/context_parallel_size: found 2, expected one \"context_parallel_size\"; remove one "
      "of them");
}

TEST(MegatronOptions, RefusesWhatNoFieldStandsFor) {
  EXPECT_EQ(
      refused(R"("recompute_granularity": "full", "recompute_method": "block")"),
      "s.json: /strategy/recompute_method: found \"block\", expected \"uniform\"; recomputing some of the "
      "layers of a stage is not predicted");
  EXPECT_EQ(
      refused(R"("recompute_num_layers": 4)"),
      "s.json: /strategy/recompute_num_layers: found 4, expected 1; recomputing several layers as one is not "
      "predicted");
  EXPECT_EQ(
      refused(R"("moe_token_dispatcher_type": "allgather")"),
      "s.json: /strategy/moe_token_dispatcher_type: found \"allgather\", expected one of alltoall, flex");
}

}  // namespace
}  // namespace paceline
