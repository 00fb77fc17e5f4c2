// Files of others in formats of their own: runs of Megatron-LM on one machine, and vTrain's iterations.
#include <gtest/gtest.h>

#include "sim/study/published.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

class PublishedFormats : public test::TempFolder {
 protected:
  [[nodiscard]] PublishedRow run(const std::string& model, const std::string& strategy,
                                 const std::string& more = "") const {
    const std::string file =
        write("runs.json",
              R"({"format": "published-training-1", "group": "g",
        "system": {"gpu": "B200-SXM", "gpus": 8, "per_node": 8, "nodes": 1, "interconnect": "NVLink 5 / NVSwitch"},
        )" + more +
                  R"("entries": [{"id": "a", "model": {"name": "m", "hidden": 512, "heads": 4, "vocab": 1024,
        "mlp": "swiglu", "norm": "rmsnorm", "tied_embeddings": false, )" +
                  model +
                  R"(}, "strategy": {"seq": 256, "precision": "bf16",
        "optimizer": "adam", "schedule": "1f1b", "micro_batch": 1, "distributed_optimizer": true,
        "sequence_parallel": true, "recompute": "none", )" +
                  strategy + R"(}, "measured": {"step_ms": 12.5}}]})");
    return read_published(test::source_catalog(), file).rows.at(0);
  }
  [[nodiscard]] PublishedRow iteration(const std::string& system, const std::string& strategy) const {
    const std::string file = write(
        "vtrain.json", R"({"format": "published-training-vtrain-1", "entries": [{"id": "v", "group": "h",
        "category": "hybrid-vtrain-single", "model": {"kind": "gpt", "hidden": 1024, "layers": 24, "heads": 16,
        "seq": 1024, "ffn": 4096}, "system": {"gpu": "a100-sxm-80gb", "gpus_per_node": 8, )" +
                           system + R"(}, "strategy": {"framework": "Megatron-DeepSpeed", "schedule": "1f1b",
        "recompute": "full", "gradient_buckets": "none: one all-reduce after backward", )" +
                           strategy + R"(}, "measured": {"step_ms": 372.16}}]})");
    return read_published(test::source_catalog(), file).rows.at(0);
  }
};

TEST_F(PublishedFormats, OfMegatronRunsAreScenarios) {
  const PublishedRow row = run(R"("layers": 4, "ffn": 1024, "kv_heads": 2)",
                               R"("tp": 2, "pp": 2, "cp": 2, "ep": 1, "dp": 1, "micro_batches": 8,
      "cp_comm": "all-to-all", "overlap": {"grad_reduce": false, "p2p": true})");
  ASSERT_TRUE(row.scenario) << row.why_not;
  const Scenario& scenario = *row.scenario;
  EXPECT_EQ(row.group, "g-m");
  EXPECT_EQ(row.category, "b200");
  EXPECT_EQ(*row.step, milliseconds(12.5));
  EXPECT_EQ(scenario.devices, 8);
  EXPECT_EQ(scenario.batch_per_device, 1);
  EXPECT_EQ(scenario.precision, Precision::bf16);
  EXPECT_EQ(scenario.model, row.model->name);
  EXPECT_EQ(scenario.strategy.kind, StrategyKind::zero);
  EXPECT_EQ(scenario.strategy.framework, "megatron-core");
  EXPECT_EQ(scenario.strategy.accumulation, 8);
  const Parallelism& parallel = scenario.strategy.parallel;
  EXPECT_EQ(parallel.degrees.model(), 8);
  EXPECT_EQ(parallel.zero_stage, 1);
  EXPECT_EQ(parallel.context_exchange, ContextExchange::all_to_all);
  EXPECT_EQ(parallel.overlap_gradients, false);
  EXPECT_EQ(parallel.overlap_parameters, false);
  EXPECT_EQ(parallel.pipeline_overlap, true);
  EXPECT_EQ(parallel.schedule, PipelineSchedule::one_forward_one_backward);
  EXPECT_FALSE(parallel.token_drop);
  EXPECT_FALSE(row.sustained_clock);
}

TEST_F(PublishedFormats, OfMegatronRunsPadExpertsToTheirCapacity) {
  const PublishedRow row =
      run(R"("layers": 4, "experts": 8, "top_k": 2, "ffn_expert": 256, "ffn_dense": 1024)",
          R"("tp": 1, "pp": 1, "cp": 1, "ep": 8, "dp": 8, "micro_batches": 4)");
  ASSERT_TRUE(row.scenario) << row.why_not;
  const Parallelism& parallel = row.scenario->strategy.parallel;
  EXPECT_EQ(parallel.dispatcher, Dispatcher::all_to_all);
  EXPECT_TRUE(parallel.token_drop);
  EXPECT_EQ(parallel.capacity_factor, 1);
  EXPECT_EQ(parallel.expert_overlap, false);
}

TEST_F(PublishedFormats, OfMegatronRunsTakeTheirMachinesClock) {
  write("ops.json",
        R"({"format": "measured-ops-1", "ops": [{"op": "matmul", "m": 16384, "n": 16384, "k": 16384,
      "out_dtype": "bf16", "time_us": 1e4}]})");
  const PublishedRow row =
      run(R"("layers": 4, "ffn": 1024)", R"("tp": 1, "pp": 1, "dp": 8, "micro_batches": 4)",
          R"("calibration": "ops.json", )");
  ASSERT_TRUE(row.sustained_clock) << row.why_not;
  // 2 x 16384^3 operations in 10 ms are 880 TFLOP/s, of the 1605 that the table of the device gives: 0.55,
  // and the last of 56 waves over tiles of 128 x 256 is almost full; 5 % less on the slowest device.
  EXPECT_NEAR(*row.sustained_clock, 880.0 / 1605 / 1.05, 0.03);
}

TEST_F(PublishedFormats, OfMegatronRunsSayWhatIsMissing) {
  EXPECT_EQ(run(R"("ffn": 1024)", R"("tp": 1, "pp": 1, "dp": 8, "micro_batches": 4)").why_not,
            "the number of layers is not stated");
}

TEST_F(PublishedFormats, OfVTrainAreScenarios) {
  const PublishedRow row = iteration(R"("gpus": 8, "nodes": 1, "inter": "800 Gb/s a node")",
                                     R"("tp": 2, "pp": 2, "dp": 2, "micro_batch": 4, "accum": 4,
      "precision": "fp16")");
  ASSERT_TRUE(row.scenario) << row.why_not;
  const Scenario& scenario = *row.scenario;
  EXPECT_EQ(row.category, "hybrid-vtrain-single");
  EXPECT_EQ(row.quality, "A");
  EXPECT_EQ(row.model->name, "decoder 24x1024, 16 heads of 64 to 16, 4096 wide, 50257 words, 1024 tokens");
  EXPECT_EQ(scenario.strategy.framework, "megatron-deepspeed-2021");
  EXPECT_EQ(scenario.strategy.kind, StrategyKind::distributed_data_parallel);
  EXPECT_EQ(scenario.strategy.parallel.overlap_gradients, false);
  EXPECT_EQ(scenario.strategy.parallel.recompute, Recompute::full);
  EXPECT_EQ(scenario.strategy.parallel.degrees.virtual_stages, 1);
  EXPECT_EQ(scenario.precision, Precision::fp16);
  EXPECT_EQ(scenario.batch_per_device, 4);
  EXPECT_EQ(scenario.strategy.accumulation, 4);
  EXPECT_EQ(row.cluster->interconnect.kind, InterconnectKind::nvswitch);
  EXPECT_FALSE(row.cluster->network);
}

// 800 Gb/s a node on four rails: 25 GB/s each.
TEST_F(PublishedFormats, OfVTrainHaveTheirNetworkBetweenNodes) {
  const char* strategy = R"("tp": 8, "pp": 8, "dp": 1, "micro_batch": 1, "accum": 64, "precision": "fp16")";
  const PublishedRow row = iteration(
      R"("gpus": 64, "nodes": 8, "inter": "800 Gb/s a node in the source configuration")", strategy);
  ASSERT_TRUE(row.cluster) << row.why_not;
  EXPECT_EQ(row.cluster->network->nics, 4);
  EXPECT_DOUBLE_EQ(row.cluster->network->rate.value(), 25e9);
  EXPECT_EQ(iteration(R"("gpus": 64, "nodes": 8, "inter": "pigeons")", strategy).why_not,
            "the network between nodes is not known: \"pigeons\"");
}

TEST_F(PublishedFormats, OfVTrainSayWhyTheyCannotBeAsked) {
  EXPECT_EQ(iteration(R"("gpus": 2)", R"("tp": 2, "micro_batch": 1, "precision": "int4")").why_not,
            "precision \"int4\" is not modelled");
}

}  // namespace
}  // namespace paceline
