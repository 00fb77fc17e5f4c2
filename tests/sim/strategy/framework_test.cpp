// Frameworks by name and as publications name them; files that are wrong.
#include "sim/strategy/framework.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "sim/strategy/strategy.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::EndsWith;
using ::testing::StartsWith;

const std::string source = std::string(PACELINE_SOURCE_DIR) + "/scenarios/frameworks";

TEST(Frameworks, AreFoundByNameAndAlias) {
  const FrameworkCatalog catalog = FrameworkCatalog::load(source);
  EXPECT_EQ(catalog.framework("pytorch-eager").name, "pytorch");
  EXPECT_EQ(catalog.framework("pytorch").gradients.first_bucket, mebibytes(1));
  EXPECT_EQ(catalog.framework("pytorch").gradients.bucket_cap, mebibytes(25));
}

TEST(Frameworks, AnUnknownNameSuggestsTheNearest) {
  const FrameworkCatalog catalog = FrameworkCatalog::load(source);
  EXPECT_EQ(
      refusal([&] { return catalog.framework("pytorhc"); }),
      "framework: found \"pytorhc\", expected one of deepspeed, deepspeed-kernel, fms-fsdp, libai, "
      "llm-foundry, "
      "megatron-2021, megatron-2022, megatron-bridge-25.09, megatron-bridge-25.11, megatron-bridge-26.02, "
      "megatron-bridge-26.04, megatron-bridge-26.06, megatron-core, megatron-deepspeed, "
      "megatron-deepspeed-2021, "
      "mindspore, mxnet, mxnet-ngc, nemo, paddle, paddle-ngc, pytorch, pytorch-cpu, pytorch-ngc, "
      "pytorch-ngc-bert, tensorflow, tensorflow-2017, tensorflow-bert, tensorflow-xla, "
      "tensorflow-xla-bert, torchtitan, torchtitan-eager; did you mean \"pytorch\"?");
}

// Versions and what follows a plus sign are dropped; a script of one model family may have its own entry.
TEST(Frameworks, AreFoundAsPublicationsNameThem) {
  const FrameworkCatalog catalog = FrameworkCatalog::load(source);
  const auto name = [&](const std::string& published, const std::string& family) {
    const Framework* found = catalog.published(published, family);
    return found ? found->name : "none";
  };
  EXPECT_EQ(name("pytorch 1.4", "cnn"), "pytorch");
  EXPECT_EQ(name("pytorch 1.8 + transformers 4.3", "gpt"), "pytorch");
  EXPECT_EQ(name("pytorch-ngc", "cnn"), "pytorch-ngc");
  EXPECT_EQ(name("pytorch-ngc", "bert"), "pytorch-ngc-bert");
  EXPECT_EQ(name("tensorflow1 (NGC)", "cnn"), "tensorflow-xla");
  EXPECT_EQ(name("tensorflow1 (NGC)", "bert"), "tensorflow-xla-bert");
  EXPECT_EQ(name("tensorflow 1 + horovod", "cnn"), "tensorflow");
  EXPECT_EQ(name("mxnet (NGC)", "cnn"), "mxnet-ngc");
  EXPECT_EQ(name("megatron-bridge (NeMo 26.04)", "llama"), "megatron-bridge-26.04");
  EXPECT_EQ(name("megatron-bridge (NeMo 24.12)", "llama"), "nemo");
  EXPECT_EQ(name("nemo/megatron", "gpt"), "nemo");
  EXPECT_EQ(name("megatron-core 0.8", "gpt"), "megatron-core");
  EXPECT_EQ(name("megatron-lm", "gpt"), "megatron-2021");
  EXPECT_EQ(name("megatron-lm 2022", "gpt"), "megatron-2022");
  EXPECT_EQ(name("composer/llm-foundry FSDP", "mpt"), "llm-foundry");
  EXPECT_EQ(name("torchtitan compile", "llama"), "torchtitan");
  EXPECT_EQ(name("torchtitan eager", "llama"), "torchtitan-eager");
  EXPECT_EQ(name("fms-fsdp compile", "llama"), "fms-fsdp");
  EXPECT_EQ(name("libai-0.2", "gpt"), "libai");
  EXPECT_EQ(name("abacus 2", "cnn"), "none");
}

// Of Megatron-LM of 2022, what its file leaves out is that of 2021, and of PyTorch beyond that.
TEST(Frameworks, InheritWhatTheyDoNotSay) {
  const FrameworkCatalog catalog = FrameworkCatalog::load(source);
  const Framework& framework = catalog.framework("megatron-2022");
  ASSERT_TRUE(framework.transformer);
  EXPECT_EQ(framework.transformer->element_wise.norm.backward, 3);
  EXPECT_EQ(framework.transformer->element_wise.loss_bytes, 40);
  EXPECT_TRUE(framework.transformer->accumulates_in_product);
  EXPECT_EQ(framework.context, catalog.framework("pytorch").context);
  EXPECT_TRUE(framework.transformer_only);
}

// fp32 state: none, one tensor or two.
TEST(Optimizers, KeepStateBetweenSteps) {
  const double expected[] = {0, 4, 8, 8, 4, 8};
  ASSERT_EQ(optimizer_names().size(), optimizer_count);
  for (std::size_t index = 0; index < optimizer_count; ++index)
    EXPECT_EQ(optimizer_state_per_parameter(static_cast<Optimizer>(index)).value(), expected[index]);
}

TEST(Strategies, HaveTheTitlesOfTheirMechanisms) {
  EXPECT_EQ(strategy_names().size(), 8U);
  EXPECT_EQ(title_of(StrategyKind::zero), "ZeRO");
  EXPECT_EQ(title_of(StrategyKind::fully_sharded), "FSDP");
  EXPECT_EQ(strategy_names()[static_cast<std::size_t>(StrategyKind::zero)], "zero");
  EXPECT_EQ(strategy_names()[static_cast<std::size_t>(StrategyKind::fully_sharded)], "fsdp");
  EXPECT_EQ(title_of(StrategyKind::distributed_data_parallel), "DDP");
  EXPECT_EQ(title_of(StrategyKind::horovod), "Horovod");
  EXPECT_EQ(strategy_names()[static_cast<std::size_t>(StrategyKind::horovod)], "horovod");
  EXPECT_EQ(strategy_names()[static_cast<std::size_t>(StrategyKind::mirrored)], "mirrored");
  EXPECT_EQ(title_of(StrategyKind::parameter_server), "parameter server");
}

class FrameworkFiles : public test::TempFolder {
 protected:
  // The source's file with one piece of text replaced.
  void copy(const std::string& to, const std::string& text = "", const std::string& by = "") const {
    std::string content = read_file(source + "/pytorch.json");
    if (!text.empty()) {
      ASSERT_NE(content.find(text), std::string::npos);
      content.replace(content.find(text), text.size(), by);
    }
    write(to, content);
  }
  [[nodiscard]] std::string load() const {
    return refusal([&] { return FrameworkCatalog::load(folder_.string()).names(); });
  }
};

TEST_F(FrameworkFiles, AnUnknownFieldNamesTheNearest) {
  copy("a.json", "\"fused\"", "\"fusde\": true, \"fused\"");
  EXPECT_THAT(load(), StartsWith(path("a.json") + ": /: found an unknown field \"fusde\", expected one of "));
  EXPECT_THAT(load(), EndsWith("; did you mean \"fused\"?"));
}

TEST_F(FrameworkFiles, ANegativeTimeIsRefused) {
  copy("a.json", "\"6us\"", "\"-6us\"");
  EXPECT_EQ(load(), path("a.json") +
                        ": /host/optimizer_tensor: found \"-6us\", expected a quantity that is not negative");
}

TEST_F(FrameworkFiles, ANameMayStandOnce) {
  copy("a.json");
  copy("b.json");
  EXPECT_EQ(load(), "framework: found \"pytorch\" twice, expected one file a name; rename one of them");
}

TEST_F(FrameworkFiles, WhatIsExtendedMustBeThere) {
  copy("a.json", "\"name\": \"pytorch\"", "\"name\": \"pytorch\", \"extends\": \"pytroch\"");
  EXPECT_EQ(load(), path("a.json") +
                        ": /extends: found \"pytroch\", expected another framework of this folder, that does "
                        "not extend this one");
}

TEST_F(FrameworkFiles, MayNotExtendThemselves) {
  copy("a.json", "\"name\": \"pytorch\"", "\"name\": \"pytorch\", \"extends\": \"pytorch\"");
  EXPECT_THAT(load(), EndsWith("another framework of this folder, that does not extend this one"));
}

TEST_F(FrameworkFiles, RulesOfTransformersWithoutABaseAreWhole) {
  copy("a.json", "\"copies\": 1,", "");
  EXPECT_EQ(load(), path("a.json") +
                        ": /transformer/element_wise: found no field \"copies\", expected it; add the field");
}

TEST_F(FrameworkFiles, AFolderThatIsMissingIsNamed) {
  EXPECT_THAT(refusal([&] { return FrameworkCatalog::load(path("none")).names(); }),
              StartsWith(path("none") + ": "));
}

}  // namespace
}  // namespace paceline
