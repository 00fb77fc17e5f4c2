#include "tests/sim/model/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

// The message of the InputError that loading a folder with these files ends in; empty if there is none.
class CatalogFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("paceline_models_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& name, const std::string& rest) const {
    write_file((folder_ / file).string(), R"({"format": "paceline/model-1", "name": ")" + name +
                                              R"(", "title": "T", "source": "S", )" + rest + "}");
  }
  [[nodiscard]] std::string refusal() const {
    try {
      (void)ModelCatalog::load(folder_.string());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

constexpr const char* small_mlp =
    R"("builder": "mlp", "parameters": {"inputs": 1, "hidden": 1, "outputs": 1, "layers": 1})";

TEST_F(CatalogFolder, AFileWithAllFieldsLoads) {
  write("a.json", "a", small_mlp);
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(ModelCatalog::load(folder_.string()).title("a"), "T");
}

TEST_F(CatalogFolder, AnUnknownParameterIsRefusedWithTheNearestOne) {
  write(
      "a.json", "a",
      R"("builder": "mlp", "parameters": {"inputs": 1, "hiden": 1, "hidden": 1, "outputs": 1, "layers": 1})");
  EXPECT_THAT(refusal(), HasSubstr("hiden"));
  EXPECT_THAT(refusal(), HasSubstr("hidden"));
}

TEST_F(CatalogFolder, AnUnknownBuilderIsRefused) {
  write("a.json", "a", R"("builder": "resnt", "parameters": {})");
  EXPECT_THAT(refusal(), HasSubstr("/builder"));
  EXPECT_THAT(refusal(), HasSubstr("resnet"));
}

TEST_F(CatalogFolder, HeadsMustDivideTheWidth) {
  write("a.json", "a",
        R"("builder": "gpt2", "parameters": {"layers": 1, "hidden": 10, "heads": 3, "feed_forward": 4,
           "vocabulary": 5, "positions": 8, "sequence": 8})");
  EXPECT_THAT(refusal(), HasSubstr("/parameters/heads"));
}

TEST_F(CatalogFolder, BasicBlocksHaveNoGroups) {
  write("a.json", "a",
        R"("builder": "resnet", "parameters": {"block": "basic", "blocks": [1], "groups": 32})");
  EXPECT_THAT(refusal(), HasSubstr("/parameters"));
  EXPECT_THAT(refusal(), HasSubstr("bottleneck"));
}

TEST_F(CatalogFolder, SizesBeyondAnyNetAreRefused) {
  write("a.json", "a",
        R"("builder": "mlp", "parameters": {"inputs": 1, "hidden": 1, "outputs": 1, "layers": 1000000000})");
  EXPECT_THAT(refusal(), HasSubstr("/parameters/layers"));
}

TEST_F(CatalogFolder, ADefaultSequenceBeyondThePositionsIsRefused) {
  write("a.json", "a",
        R"("builder": "gpt2", "parameters": {"layers": 1, "hidden": 8, "heads": 2, "feed_forward": 4,
           "vocabulary": 5, "positions": 8, "sequence": 9})");
  EXPECT_THAT(refusal(), HasSubstr("/parameters/sequence"));
}

TEST_F(CatalogFolder, KeyValueHeadsMustDivideTheHeads) {
  write("a.json", "a",
        R"("builder": "llama", "parameters": {"layers": 1, "hidden": 12, "heads": 6, "key_value_heads": 4,
           "feed_forward": 4, "vocabulary": 5, "positions": 8, "sequence": 8})");
  EXPECT_THAT(refusal(), HasSubstr("/parameters/key_value_heads"));
}

TEST_F(CatalogFolder, TwoModelsOfOneNameAreRefused) {
  write("a.json", "a", small_mlp);
  write("b.json", "b", std::string(R"("aliases": ["a"], )") + small_mlp);
  EXPECT_THAT(refusal(), HasSubstr("a.json"));
  EXPECT_THAT(refusal(), HasSubstr("b.json"));
}

TEST_F(CatalogFolder, AFolderThatIsNotThereIsRefused) {
  EXPECT_THROW((void)ModelCatalog::load((folder_ / "none").string()), InputError);
}

TEST(ModelCatalog, AnUnknownNameSuggestsTheNearestOne) {
  try {
    (void)source_model("resnet5O");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("model: "));
    EXPECT_THAT(error.what(), HasSubstr("resnet50"));
  }
}

TEST(ModelCatalog, AnAliasBuildsTheModelUnderItsOwnName) {
  const Model model = source_model("bert-large-uncased");
  EXPECT_EQ(model.name, "bert-large");
  EXPECT_EQ(model.title, "BERT large");
}

TEST(ModelCatalog, TheInputOfAModelHasItsDefaultsFilledIn) {
  const ModelCatalog catalog = source_catalog();
  EXPECT_EQ(catalog.input_of("gpt2").sequence, 1024);
  EXPECT_EQ(catalog.input_of("resnet50").image, 224);
  EXPECT_EQ(catalog.input_of("bert-large", {.sequence = 512}).masked_positions, 80);
}

}  // namespace
}  // namespace paceline
