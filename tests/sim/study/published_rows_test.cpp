// Files of published steps: what becomes a scenario, and why something does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/published.h"
#include "sim/study/validate.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

class PublishedRows : public test::TempFolder {
 protected:
  static std::string row(const std::string& id, const std::string& system, const std::string& strategy) {
    return R"({"id": ")" + id + R"(", "group": "g", "category": "cnn-ddp", "quality": "A",
               "model": {"name": "resnet50", "family": "cnn"}, "measured": {"step_ms": 104},
               "system": {)" +
           system + R"(}, "strategy": {"framework": "pytorch 1.4", "precision": "fp32",
               "optimizer": "sgd", "micro_batch": 32, )" +
           strategy + "}}";
  }
  [[nodiscard]] PublishedFile read(const std::string& rows) const {
    return read_published(
        test::source_catalog(),
        write("truth.json", R"({"format": "dist-training-truth/1", "entries": [)" + rows + "]}"));
  }
};

constexpr const char* v100 =
    R"("gpu": "v100-sxm2-16gb", "gpus": 8, "nodes": 1, "intra": "nvlink2-hybrid-cube-mesh")";

TEST_F(PublishedRows, OfATruthFileBecomeScenarios) {
  const PublishedFile file = read(row("a", v100, R"("dp_kind": "ddp", "bucket_mb": 25)"));
  ASSERT_EQ(file.rows.size(), 1U);
  const PublishedRow& row = file.rows[0];
  ASSERT_TRUE(row.scenario) << row.why_not;
  EXPECT_EQ(row.scenario->devices, 8);
  EXPECT_EQ(row.scenario->batch_per_device, 32);
  EXPECT_EQ(*row.scenario->strategy.bucket_cap, mebibytes(25));
  EXPECT_EQ(row.cluster->interconnect.kind, InterconnectKind::nvlink_cube_mesh);
  EXPECT_EQ(*row.step, milliseconds(104));
  EXPECT_TRUE(row.judged);
}

TEST_F(PublishedRows, SayWhyTheyCannotBeAsked) {
  const auto why = [&](const std::string& system, const std::string& strategy) {
    return read(row("a", system, strategy)).rows.at(0).why_not;
  };
  EXPECT_EQ(why(v100, R"("dp_kind": "gossip")"), "data parallelism \"gossip\" is not modelled");
  EXPECT_EQ(why(R"("gpu": "abacus", "gpus": 1)", R"("dp_kind": "none")"),
            "device \"abacus\" is not in the catalog");
  EXPECT_EQ(why(R"("gpu": "v100-sxm2-16gb", "gpus": 8, "intra": "string")", R"("dp_kind": "ddp")"),
            "the links inside a node are not known: \"string\"");
  EXPECT_EQ(why(R"("gpu": "v100-sxm2-16gb", "gpus": 16, "nodes": 2, "gpus_per_node": 8,
                   "intra": "nvlink2-hybrid-cube-mesh", "inter": "pigeons")",
                R"("dp_kind": "ddp")"),
            "the network between nodes is not known: \"pigeons\"");
}

// The framework decides what a publication's words mean: Paddle's "ddp" is its own all-reduce after backward;
// rows of TensorFlow say whether the compiler was on; MLPerf's MXNet is NVIDIA's.
TEST_F(PublishedRows, AreReadByTheirFramework) {
  const auto strategy = [&](const std::string& framework, const std::string& kind, const std::string& more) {
    std::string text = row("a", v100, R"("dp_kind": ")" + kind + "\"");
    const std::string was = R"("framework": "pytorch 1.4")";
    text.replace(text.find(was), was.size(), R"("framework": ")" + framework + "\"");
    text.replace(text.rfind("}"), 1, more + "}");
    const PublishedRow read_back = read(text).rows.at(0);
    return read_back.scenario
               ? strategy_names()[static_cast<std::size_t>(read_back.scenario->strategy.kind)] + " " +
                     read_back.scenario->strategy.framework
               : read_back.why_not;
  };
  EXPECT_EQ(strategy("paddle", "ddp", ""), "mirrored paddle");
  EXPECT_EQ(strategy("pytorch 1.4", "ddp", ""), "ddp pytorch");
  EXPECT_EQ(strategy("tensorflow2", "mirrored", ""), "mirrored tensorflow");
  EXPECT_EQ(strategy("tf1-ngc", "horovod", R"(, "flags": ["opt:xla", "without xla"])"), "horovod tensorflow");
  EXPECT_EQ(strategy("tf1-ngc", "horovod", R"(, "flags": ["with xla"])"), "horovod tensorflow-xla");
  EXPECT_EQ(strategy("mxnet", "horovod", ""), "horovod mxnet");
  EXPECT_EQ(strategy("mxnet", "horovod", R"(, "source": {"what": "MLPerf Training v1.1"})"),
            "horovod mxnet-ngc");
  EXPECT_EQ(strategy("tensorflow 1.1/1.2 tf_cnn_benchmarks", "parameter_server-cpu", ""),
            "parameter_server tensorflow-2017");
  EXPECT_EQ(strategy("tensorflow 1.1/1.2 tf_cnn_benchmarks", "parameter_server-gpu", ""),
            "data parallelism \"parameter_server-gpu\" is not modelled");
}

TEST_F(PublishedRows, OfATruthFileAreJudged) {
  write("truth.json", R"({"format": "dist-training-truth/1", "entries": [)" +
                          row("one", R"("gpu": "v100-sxm2-16gb", "gpus": 1)", R"("dp_kind": "none")") + "," +
                          row("eight", v100, R"("dp_kind": "ddp")") + "," +
                          row("gossip", v100, R"("dp_kind": "gossip")") + "]}");
  const Validation validation =
      validate_training(test::source_catalog(), test::data_folder(), {path("truth.json")});
  ASSERT_EQ(validation.rows.size(), 3U);
  EXPECT_EQ(validation.all.rows, 3U);
  EXPECT_EQ(validation.all.answered, 2U);
  ASSERT_TRUE(validation.rows[1].efficiency);
  // Both were given the same step: measured efficiency 1, predicted t(1) / t(8).
  EXPECT_EQ(*validation.rows[1].measured_efficiency, 1);
  EXPECT_DOUBLE_EQ(*validation.rows[1].efficiency,
                   *validation.rows[0].predicted / *validation.rows[1].predicted);
  EXPECT_EQ(validation.rows[2].why_not, "data parallelism \"gossip\" is not modelled");
  EXPECT_EQ(unanswered_table(validation, 5).rows.at(0).at(1), "data parallelism \"gossip\" is not modelled");
}

TEST_F(PublishedRows, OfAnotherFormatAreRefused) {
  const std::string file = write("other.json", R"({"format": "paceline/study-1", "rows": []})");
  EXPECT_EQ(test::refusal([&] { return read_published(test::source_catalog(), file); }),
            file +
                ": /format: found \"paceline/study-1\", expected \"paceline/published-1\", "
                "\"dist-training-truth/1\", \"published-training-1\" or \"published-training-vtrain-1\"");
  const std::string testbed = test::data_folder() + "/published/testbed-ddp.json";
  EXPECT_THAT(test::refusal([&] { return read_published(test::source_catalog(), testbed); }),
              HasSubstr("/kind: found \"testbed\", expected \"training\""));
}

TEST(PublishedFiles, AreThoseOfTrainingSteps) {
  const auto files = published_files(test::data_folder() + "/published", "training");
  EXPECT_GE(files.size(), 9U);
  for (const std::string& file : files) EXPECT_EQ(file.find("testbed"), std::string::npos);
}

}  // namespace
}  // namespace paceline
