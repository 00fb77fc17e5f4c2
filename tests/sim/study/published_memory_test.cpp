// Published memory: how well it is met, what is read of a row, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/memory/megatron/memory_of_stage.h"
#include "sim/study/memory/validate_memory.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

const MemoryValidation& shipped() {
  static const MemoryValidation validation = validate_memory(test::source_catalog(), test::data_folder(), {});
  return validation;
}
const MemoryGroup& group(const std::string& name) {
  for (const MemoryGroup& each : shipped().groups)
    if (each.name == name) return each;
  throw std::logic_error(name);
}

class PublishedMemoryRow : public test::TempFolder {
 protected:
  PublishedMemory read(const std::string& model, const std::string& strategy) {
    const std::string file = write(
        "memory.json",
        R"({"format": "paceline/published-1", "kind": "memory",
      "group": "g", "rows": [{"id": "r", "group": "g", "system": {"gpu": "a100-sxm4-80gb"},
      "measured": {"peak_mem_gib": 3}, "model": {"layers": 12, "hidden": 512, "heads": 8, "seq": 1024)" +
            model + R"(}, "strategy": {"dp": 2, "tp": 1, "pp": 2, "precision": "bf16", "optimizer": "adam")" +
            strategy + "}}]}");
    const LibraryMemory libraries = LibraryMemory::load(test::data_folder() + "/memory/megatron.json");
    return read_published_memory(test::source_catalog(), libraries, file).front();
  }
  const std::string words_ = R"(, "vocab": 50257)", batch_ = R"(, "micro_batch": 4, "accum": 4)";
};

// Exact by mechanism: runs on B200 within 0.1 % in the mean and 0.4 % at worst; small models within
// max(1 %, 128 MiB) of what they hold, and differences inside a group within 16 MiB.
TEST(MemoryValidation, MeetsThePublishedBytes) {
  const MemoryErrors& b200 = group("b200-8gpu-megatron").peak;
  EXPECT_EQ(b200.count, 232U);
  EXPECT_LE(b200.mean, 0.001);
  EXPECT_LE(b200.largest, 0.004);
  EXPECT_LE(group("b200-8gpu-megatron").reserved.p90, 0.035);
  for (const char* name :
       {"mcore-mem-gpt-a100", "mcore-mem-gpt-h100", "mcore-mem-bert-h100", "mcore-mem-7b-gb200"}) {
    EXPECT_GE(group(name).within, 0.95) << name;
    EXPECT_LE(group(name).spread, mebibytes(16)) << name;
    EXPECT_LE(group(name).peak.median, 0.015) << name;
    EXPECT_LE(group(name).peak.p90, 0.04) << name;
  }
}

TEST(MemoryValidation, AnswersEveryRowThatItShips) {
  EXPECT_EQ(group("all").rows, group("all").answered);
  EXPECT_GE(group("all").answered_peak, group("all").rows - 3);
}

TEST_F(PublishedMemoryRow, ReadsShapesMeshAndOptions) {
  const PublishedMemory row =
      read(words_,
           batch_ + R"(, "vp": 3, "attn": "unfused", "dp_kind": "ddp+dist-opt", "recompute": "full-block-2",
              "extra": {"deterministic-mode": true, "position-embedding-type": "rope"})");
  ASSERT_TRUE(row.run) << row.why_not;
  const megatron::TrainingRun& run = *row.run;
  EXPECT_EQ(run.mesh.world(), 4);
  EXPECT_EQ(run.mesh.virtual_stages, 3);
  EXPECT_TRUE(run.distributed_optimizer);
  EXPECT_EQ(run.recompute, megatron::Recompute::full_block);
  EXPECT_EQ(run.recompute_layers, 2);
  EXPECT_TRUE(run.model.block.attention.rotary);
  EXPECT_EQ(run.model.learned_positions, 0);
  EXPECT_EQ(run.model.block.feed_forward.width, 2048);
  EXPECT_EQ(run.libraries.matrix_workspace, mebibytes(32));
  EXPECT_EQ(run.libraries.engine_workspace, mebibytes(4));
  EXPECT_EQ(row.measured.front().stage, 1);
}

TEST_F(PublishedMemoryRow, SaysWhyARowCannotBeAsked) {
  EXPECT_THAT(read("", batch_).why_not, HasSubstr("the vocabulary is not stated"));
  EXPECT_THAT(read(words_, "").why_not, HasSubstr("the micro-batch is not stated"));
  EXPECT_THAT(read(words_, batch_ + R"(, "zero": 3)").why_not, HasSubstr("ZeRO stage \"3\""));
  EXPECT_THAT(read(words_, batch_ + R"(, "vp": 5)").why_not, HasSubstr("found 10"));
  EXPECT_THAT(read(words_ + R"(, "family": "hybrid-mamba-moe")", batch_).why_not, HasSubstr("family"));
  EXPECT_THAT(read(words_, batch_ + R"(, "extra": {"mtp-num-layers": 1})").why_not, HasSubstr("mtp"));
  EXPECT_THAT(read(words_, batch_ + R"(, "extra": {"optimizer-cpu-offload": true})").why_not,
              HasSubstr("optimizer-cpu-offload"));
  EXPECT_THAT(
      read(words_ + R"(, "experts": 8, "topk": 2)", batch_ + R"(, "extra": {"moe-layer-freq": "[1]"})")
          .why_not,
      HasSubstr("layout"));
}

TEST_F(PublishedMemoryRow, ReadsExpertsAndTheOptimizersFormats) {
  const PublishedMemory row =
      read(words_ + R"(, "experts": 8, "topk": 2, "moe_ffn": 768)",
           batch_ + R"x(, "extra": {"moe-layer-freq": "([0]*3+[1]*9)", "moe-grouped-gemm": true,
              "moe-shared-expert-intermediate-size": 256, "main-grads-dtype": "bf16", "exp-avg-dtype": "fp8"})x");
  ASSERT_TRUE(row.run) << row.why_not;
  EXPECT_EQ(row.run->model.dense_layers, 3);
  EXPECT_EQ(row.run->model.block.experts->shared_width, 256);
  EXPECT_FALSE(row.run->model.block.experts->bias);
  EXPECT_TRUE(row.run->grouped_products);
  EXPECT_EQ(row.run->optimizer.main_gradient, 2);
  EXPECT_EQ(row.run->optimizer.moments, 1 + 4);
}

// What is held is known whatever is recomputed.
TEST_F(PublishedMemoryRow, RefusesThePeakOfUnknownRecomputation) {
  const auto reason = [&](const std::string& recompute) {
    const PublishedMemory row = read(words_, batch_ + R"(, "attn": "unfused", "recompute": )" + recompute);
    EXPECT_TRUE(row.run) << row.why_not;
    return row.why_no_peak;
  };
  EXPECT_EQ(reason(R"("selective")"), "");
  EXPECT_EQ(reason(R"("selective", "extra": {"recompute-modules": "core_attn"})"), "");
  EXPECT_THAT(reason(R"("selective", "extra": {"recompute-modules": "mlp"})"), HasSubstr("\"mlp\""));
  EXPECT_THAT(reason(R"("full")"), HasSubstr("groups layers"));
}

// "auto" leaves the kernel open; eager scores of 262,144 tokens fit no device, so there it can be told.
TEST_F(PublishedMemoryRow, SettlesTheAttentionKernelOnlyWhereItCan) {
  const PublishedMemory open = read(words_, batch_ + R"(, "attn": "auto")");
  ASSERT_TRUE(open.run);
  EXPECT_THAT(open.why_no_peak, HasSubstr("attention kernel"));
  const PublishedMemory settled = read(words_, batch_ + R"(, "attn": "auto", "seq": 262144)");
  ASSERT_TRUE(settled.run);
  EXPECT_EQ(settled.why_no_peak, "");
  EXPECT_TRUE(settled.run->model.block.attention.fused);
}

TEST_F(PublishedMemoryRow, RefusesOtherFiles) {
  const std::string scenarios = test::data_folder();
  const LibraryMemory libraries = LibraryMemory::load(scenarios + "/memory/megatron.json");
  for (const char* file : {"/published/ptddp-cnn-v100.json", "/devices/b200.json"})
    EXPECT_THAT(test::refusal([&] {
                  (void)read_published_memory(test::source_catalog(), libraries, scenarios + file);
                }),
                HasSubstr("expected"));
  EXPECT_THAT(test::refusal([&] { (void)LibraryMemory::load(scenarios + "/devices/b200.json"); }),
              HasSubstr("library-memory-1"));
}

// From a compute capability on, up to the next one listed.
TEST(LibraryMemory, ChoosesByComputeCapability) {
  const LibraryMemory libraries = LibraryMemory::load(test::data_folder() + "/memory/megatron.json");
  EXPECT_EQ(libraries.on(86, true, false).matrix_workspace, Bytes(2 * 4096 * 1024 + 8 * 16 * 1024));
  EXPECT_EQ(libraries.on(90, true, false).matrix_workspace, mebibytes(32));
  EXPECT_EQ(libraries.on(100, true, false).engine_workspace, mebibytes(32) + Bytes(1024));
  EXPECT_EQ(libraries.on(80, true, false).engine_workspace, mebibytes(4));
  EXPECT_EQ(libraries.on(80, true, true).matrix_workspace, mebibytes(32));
}

}  // namespace
}  // namespace paceline
