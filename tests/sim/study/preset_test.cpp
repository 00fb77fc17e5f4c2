// Presets: what a name fills in, and what goes before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/presets.h"
#include "sim/study/scenario.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::ElementsAre;

// A catalog's presets with "tensors" and "sharded" among them, whose kinds are known everywhere.
class Presets : public test::TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    write_preset("tensors", R"("aliases": ["t"],)", R"({"kind": "ddp", "tensor": 4, "overlap": false})");
    write_preset("sharded", "", R"({"kind": "ddp", "zero_stage": 3})");
    catalog_.presets = PresetCatalog::load(folder_.string());
  }
  void write_preset(const std::string& name, const std::string& more, const std::string& strategy) const {
    write(name + ".json", R"({"format": "paceline/preset-1", "name": ")" + name + R"(", "title": "T", )" +
                              more + R"("framework": "pytorch-ngc", "strategy": )" + strategy +
                              R"(, "source": "s"})");
  }
  [[nodiscard]] Scenario read(const std::string& fields) const {
    return read_scenario(
        JsonValue::parse_text(R"({"format": "paceline/scenario-1", )" + fields + "}", "s.json"),
        {&catalog_, ""});
  }
  [[nodiscard]] std::string refused(const std::string& fields) const {
    return refusal([&] { return read(fields); });
  }
  Catalog catalog_ = test::source_catalog();
};

TEST_F(Presets, FillInWhatTheyName) {
  for (const char* name : {"tensors", "t"}) {
    const Strategy strategy = read("\"strategy\": \"" + std::string(name) + "\"").strategy;
    EXPECT_EQ(strategy.kind, StrategyKind::distributed_data_parallel);
    EXPECT_EQ(strategy.framework, "pytorch-ngc");
    EXPECT_EQ(strategy.parallel.degrees.tensor, 4);
    EXPECT_EQ(strategy.overlap, false);
  }
}

TEST_F(Presets, AreOverriddenByEveryField) {
  const Strategy strategy =
      read(R"("strategy": {"kind": "tensors", "tensor": 2, "context": 2}, "framework": "pytorch")").strategy;
  EXPECT_EQ(strategy.framework, "pytorch");
  EXPECT_EQ(strategy.parallel.degrees.tensor, 2);
  EXPECT_EQ(strategy.parallel.degrees.context, 2);
  EXPECT_EQ(strategy.overlap, false);
}

TEST_F(Presets, AreOfferedWithTheKinds) {
  EXPECT_THAT(
      refused(R"("strategy": "sharde")"),
      ::testing::StartsWith("s.json: /strategy: found \"sharde\", expected one of single, dp, ddp, "));
  EXPECT_THAT(refused(R"("strategy": "sharde")"), ::testing::EndsWith("; did you mean \"sharded\"?"));
  EXPECT_THAT(catalog_.presets.names(), ElementsAre("sharded", "tensors"));
}

TEST_F(Presets, HaveNamesOfTheirOwn) {
  const auto loaded = [&] { return refusal([&] { return PresetCatalog::load(folder_.string()); }); };
  write_preset("ddp", "", R"({"kind": "ddp"})");
  EXPECT_EQ(loaded(), path("ddp.json") +
                          ": found the name \"ddp\", expected one that no strategy or preset has; "
                          "rename one of them");
  std::filesystem::remove(path("ddp.json"));
  write_preset("u", R"("aliases": ["sharded"],)", R"({"kind": "ddp"})");
  EXPECT_EQ(loaded(), path("u.json") +
                          ": found the name \"sharded\", expected one that no strategy or preset "
                          "has; rename one of them");
}

TEST_F(Presets, AreCalledAsTheirFiles) {
  std::filesystem::rename(path("sharded.json"), path("other.json"));
  EXPECT_EQ(refusal([&] { return PresetCatalog::load(folder_.string()); }),
            path("other.json") + ": /name: found \"sharded\", expected the file's name \"other\"");
}

TEST_F(Presets, NestNoFurtherPreset) {
  write_preset("nested", "", R"({"kind": "tensors"})");
  catalog_.presets = PresetCatalog::load(folder_.string());
  EXPECT_THAT(
      refused(R"("strategy": "nested")"),
      ::testing::StartsWith(path("nested.json") + ": /strategy/kind: found \"tensors\", expected one of "));
}

TEST(ShippedPresets, AreReadable) {
  const PresetCatalog& presets = test::source_catalog().presets;
  for (const char* name : {"pytorch-ddp", "pytorch-dp", "fsdp1", "fsdp2", "hsdp", "deepspeed-zero1",
                           "deepspeed-zero2", "deepspeed-zero3", "megatron", "megatron-fsdp",
                           "pytorch-horovod", "tf-mirrored", "tf-parameter-server", "pippy", "torchtitan"})
    EXPECT_NE(presets.find(name), nullptr) << name;
  const auto& kinds = strategy_names();
  for (const Preset& preset : presets.all()) {
    const auto read = [&] {
      return read_scenario(
          JsonValue::parse_text(R"({"format": "paceline/scenario-1", "strategy": ")" + preset.name + "\"}",
                                "s.json"),
          {&test::source_catalog(), ""});
    };
    const std::string kind = preset.strategy.object().required("kind").string();
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
      EXPECT_EQ(refusal(read), "accepted") << preset.name;
    else
      EXPECT_TRUE(kind == "zero" || kind == "fsdp") << preset.name;
    EXPECT_FALSE(preset.source.empty());
    EXPECT_EQ(refusal([&] { return test::source_catalog().frameworks.framework(preset.framework); }),
              "accepted");
  }
}

}  // namespace
}  // namespace paceline
