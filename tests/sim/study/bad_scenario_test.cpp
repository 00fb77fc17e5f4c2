// Scenarios that cannot be read or cannot be asked: one message each, with the field, what was found and what
// to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/study/predict.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class BadScenario : public test::TempFolder {
 protected:
  // Reading a file with these fields, and predicting it.
  [[nodiscard]] std::string answer(const std::string& fields) const {
    const std::string file = write("s.json", R"({"format": "paceline/scenario-1", )" + fields + "}");
    const std::string message =
        refusal([&] { return predict(test::source_catalog(), read_scenario(JsonValue::parse_file(file))); });
    const std::string prefix = file + ": ";
    return message.starts_with(prefix) ? "s.json: " + message.substr(prefix.size()) : message;
  }
};

TEST_F(BadScenario, AGoodOneIsAccepted) {
  EXPECT_EQ(answer(R"("devices": 8, "strategy": "ddp")"), "accepted");
}

TEST_F(BadScenario, AMissingFileIsNamed) {
  EXPECT_THAT(refusal([&] { return JsonValue::parse_file(path("none.json")); }),
              StartsWith(path("none.json")));
}

TEST_F(BadScenario, BrokenJsonIsToldByLineAndColumn) {
  const std::string file = write("b.json", "{\n \"format\": }");
  const std::string message = refusal([&] { return JsonValue::parse_file(file); });
  EXPECT_THAT(message, StartsWith(file + ":2:12: found '}', expected "));
}

TEST_F(BadScenario, AnUnknownFieldNamesTheNearest) {
  EXPECT_THAT(answer(R"("batch_per_devise": 4)"),
              StartsWith("s.json: /: found an unknown field \"batch_per_devise\", expected one of "));
  EXPECT_THAT(answer(R"("batch_per_devise": 4)"), EndsWith("; did you mean \"batch_per_device\"?"));
}

TEST_F(BadScenario, AFrameworkIsNotAskedForWhatItHasNot) {
  EXPECT_EQ(
      answer(
          R"("devices": 8, "framework": "pytorch-ngc", "strategy": {"kind": "ddp", "zero_stage": 2, "tensor": 2})"),
      "strategy: found \"ddp\" with \"tensor\", \"zero_stage\", expected a framework that is known to have "
      "them, which \"pytorch-ngc\" is not; remove them, or choose another framework");
  EXPECT_THAT(answer(R"("zero": 3)"),
              StartsWith("s.json: /: found an unknown field \"zero\", expected one of "));
}

TEST_F(BadScenario, StrategiesAreKindsWhereNoPresetsAreLookedUp) {
  EXPECT_THAT(answer(R"("strategy": "gossip")"),
              StartsWith("s.json: /strategy: found \"gossip\", expected one of single, dp, ddp, horovod, "));
}

TEST_F(BadScenario, NumbersOutOfRangeAreRefused) {
  EXPECT_EQ(answer(R"("batch_per_device": -4)"),
            "s.json: /batch_per_device: found -4, expected a whole number from 1 to 1048576");
  EXPECT_EQ(answer(R"("devices": 0)"),
            "s.json: /devices: found 0, expected a whole number from 1 to 1048576");
  EXPECT_EQ(answer(R"("devices": 2.5)"),
            "s.json: /devices: found 2.5, expected a whole number from 1 to 1048576");
  EXPECT_EQ(answer(R"("devices": "8")"),
            "s.json: /devices: found \"8\", expected a whole number from 1 to 1048576");
  EXPECT_EQ(answer(R"("devices": 1e30)"),
            "s.json: /devices: found 1e+30, expected a whole number below 9.2e18");
  EXPECT_EQ(answer(R"("link_rate": 0)"), "s.json: /link_rate: found 0, expected a rate above 0");
  EXPECT_EQ(answer(R"("measured": {"step": 0})"), "s.json: /measured/step: found 0, expected a time above 0");
}

TEST_F(BadScenario, UnknownNamesSuggestTheNearest) {
  EXPECT_EQ(
      answer(R"("cluster": "dgx-a100-8")"),
      "cluster: found \"dgx-a100-8\", expected a cluster of the catalog; did you mean \"dgx-a100-80\"?");
  EXPECT_THAT(answer(R"("model": "resnet5O")"), StartsWith("model: found \"resnet5O\", expected "));
  EXPECT_THAT(answer(R"("model": "resnet5O")"), HasSubstr("did you mean \"resnet50\"?"));
  EXPECT_THAT(answer(R"("framework": "pytorchh")"), EndsWith("did you mean \"pytorch\"?"));
  EXPECT_THAT(answer(R"("precision": "tf3")"), EndsWith("did you mean \"tf32\"?"));
  EXPECT_THAT(answer(R"("optimizer": "adm")"), EndsWith("did you mean \"adam\"?"));
}

TEST_F(BadScenario, DataParallelStaysInOneNode) {
  EXPECT_EQ(answer(R"("devices": 16, "strategy": "dp")"),
            "devices: found 16 on nodes of 8, expected devices of one node: nn.DataParallel is one process; "
            "use DDP, or at most the devices of one node");
}

TEST_F(BadScenario, AFrameworkAnswersForWhatItsFiguresAreKnownFor) {
  EXPECT_EQ(
      answer(R"("devices": 8, "framework": "tensorflow", "strategy": "ddp")"),
      "strategy: found \"ddp\" with framework \"tensorflow\", expected one of single, horovod, mirrored, "
      "parameter_server; choose another framework");
  EXPECT_EQ(
      answer(R"("model": "bert-base", "framework": "mxnet-ngc")"),
      "framework: found \"mxnet-ngc\" with model \"bert-base\", expected a convolutional net: no figures "
      "are known of its transformers; choose another framework");
  EXPECT_EQ(answer(R"("framework": "paddle-ngc")"),
            "framework: found \"paddle-ngc\" with model \"resnet50\", expected a transformer: no figures are "
            "known of its convolutional nets; choose another framework");
}

TEST_F(BadScenario, NodesAreFilled) {
  EXPECT_EQ(answer(R"("devices": 12, "strategy": "ddp")"),
            "devices: found 12, expected a multiple of the 8 devices of a node; fill every node");
  EXPECT_EQ(answer(R"("devices": 12, "devices_per_node": 6, "strategy": "ddp")"), "accepted");
  EXPECT_EQ(answer(R"("devices": 12, "devices_per_node": 12, "strategy": "ddp")"),
            "devices_per_node: found 12, expected at most 8, the devices of a node of dgx-1v; choose a "
            "larger node");
}

TEST_F(BadScenario, OneDeviceIsOneDevice) {
  EXPECT_EQ(answer(R"("devices": 2)"),
            "devices: found 2, expected 1 for the strategy \"single\"; choose \"ddp\" or \"dp\"");
}

TEST_F(BadScenario, ClustersHaveTheNodesThatTheyHave) {
  EXPECT_EQ(answer(R"("devices": 32768, "strategy": "ddp")"),
            "devices: found 32768, 4096 nodes, expected at most 2048 nodes of dgx-1v; use fewer devices");
  EXPECT_EQ(answer(R"("cluster": "2x-rtx-3090", "devices": 4, "strategy": "ddp")"),
            "devices: found 4 on nodes of 2, expected at most 2: 2x-rtx-3090 has no network between nodes; "
            "choose a cluster with a network");
}

TEST_F(BadScenario, APrecisionThatTheDeviceLacksIsRefused) {
  EXPECT_EQ(
      answer(R"("precision": "tf32")"),
      "precision: found tf32, expected one with kernel constants for Volta; choose another precision, or "
      "measure the device with paceline-probe");
}

TEST_F(BadScenario, AnArchitectureWithoutConstantsIsRefused) {
  EXPECT_EQ(answer(R"("cluster": "mi300x-8")"),
            "architecture: found \"cdna3\", expected an architecture of the catalog; add its file, or choose "
            "another "
            "device");
}

TEST_F(BadScenario, AWholeBatchIsSharedOutEvenly) {
  EXPECT_EQ(answer(R"("devices": 4, "strategy": "ddp", "global_batch": 10)"),
            "global_batch: found 10 samples for 4 devices times 1 micro-batch, expected a multiple of their "
            "number; "
            "use 8");
  EXPECT_EQ(answer(R"("devices": 8, "strategy": "ddp", "global_batch": 4)"),
            "global_batch: found 4 samples for 8 devices times 1 micro-batch, expected at least one sample "
            "for each; "
            "use fewer devices or a larger batch");
}

TEST_F(BadScenario, DataParallelSharesAnyBatchOut) {
  EXPECT_EQ(answer(R"("devices": 4, "strategy": "dp", "global_batch": 10)"), "accepted");
  EXPECT_EQ(answer(R"("devices": 8, "strategy": "dp", "global_batch": 4)"), "accepted");
}

TEST_F(BadScenario, PartsLongerThanTheirWholeAreRefused) {
  EXPECT_EQ(answer(R"("measured": {"step": "10ms", "forward": "4ms", "backward": "8ms"})"),
            "measured: found a step of 10 ms with 12 ms of forward and backward, expected parts that do not "
            "exceed the step; check the measured times");
}

}  // namespace
}  // namespace paceline
