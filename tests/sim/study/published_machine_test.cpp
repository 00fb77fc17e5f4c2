// The machine that a published row describes.
#include "sim/study/published_machine.h"

#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

std::variant<Cluster, std::string> machine(const std::string& system) {
  return published_machine(test::source_catalog(),
                           JsonValue::parse_text("{" + system + "}", "row.json").object());
}
Cluster cluster(const std::string& system) { return std::get<Cluster>(machine(system)); }

TEST(PublishedMachines, HaveTheNicsThatTheirWordsCount) {
  const auto network = [](const std::string& words, double gigabits) {
    return cluster(
               R"("gpu": "a100-sxm4-80gb", "gpus": 16, "gpus_per_node": 8, "nodes": 2, "intra": "nvswitch2",
        "inter": ")" +
               words + R"(", "inter_gbps_per_node": )" + std::to_string(gigabits))
        .network.value();
  };
  struct Case {
    const char* words;
    double gigabits;
    const char* fabric;
    int nics;
  };
  for (const Case& each : {Case{"ib-hdr-8x200", 1600, "infiniband", 8},
                           {"opa-4x100", 400, "infiniband", 4},
                           {"ib-edr-1x100", 100, "infiniband", 1},
                           {"roce-8x400", 3200, "roce", 8},
                           {"roce-1600gbps", 1600, "roce", 8},  // 200 Gb/s for each device
                           {"ethernet-25", 25, "ethernet-tcp", 1},
                           {"ethernet-400", 400, "roce", 1}}) {  // 50 Gb/s: no NIC for each
    const Network found = network(each.words, each.gigabits);
    EXPECT_EQ(found.fabric, each.fabric) << each.words;
    EXPECT_EQ(found.nics, each.nics) << each.words;
    EXPECT_DOUBLE_EQ(found.rate.value() * found.nics, each.gigabits * 1e9 / 8) << each.words;
  }
}

// DGX H100: eight NICs of 400 Gb/s; NVL72: one of 400 Gb/s for each GPU.
TEST(PublishedMachines, WithoutANetworkHaveThatOfTheVendorsSystem) {
  const Network h100 = cluster(R"("gpu": "h100-sxm5-80gb", "gpus": 64, "gpus_per_node": 8, "nodes": 8,
      "intra": "nvswitch3")")
                           .network.value();
  EXPECT_EQ(h100.nics, 8);
  EXPECT_DOUBLE_EQ(h100.rate.value(), 50e9);
  const Network rack =
      cluster(R"("gpu": "gb200", "gpus": 256, "gpus_per_node": 64, "nodes": 4, "intra": "nvl72",
      "inter": "ib-or-ethernet, not stated")")
          .network.value();
  EXPECT_EQ(rack.nics, 64);
  EXPECT_DOUBLE_EQ(rack.rate.value(), 50e9);
  EXPECT_EQ(std::get<std::string>(machine(R"("gpu": "l40s", "gpus": 8, "gpus_per_node": 4, "nodes": 2,
      "intra": "pcie4")")),
            "the network between nodes is not known: \"\"");
}

TEST(PublishedMachines, CountARackAsOneNode) {
  const Cluster trays =
      cluster(R"("gpu": "gb200", "gpus": 8, "gpus_per_node": 4, "nodes": 2, "intra": "nvl72")");
  EXPECT_EQ(trays.devices_per_node, 8);
  EXPECT_FALSE(trays.network);
}

TEST(PublishedMachines, WithoutLinksHaveThoseOfTheVendorsSystem) {
  const Cluster v100 = cluster(R"("gpu": "v100-32gb", "gpus": 8, "gpus_per_node": 8, "intra": "not stated")");
  EXPECT_EQ(v100.device, "v100-sxm2-32gb");
  EXPECT_EQ(v100.interconnect.kind, InterconnectKind::nvlink_cube_mesh);
  EXPECT_EQ(std::get<std::string>(machine(R"("gpu": "a40", "gpus": 8, "intra": "not stated")")),
            "the links inside a node are not known: \"not stated\"");
}

TEST(PublishedMachines, AreNamedInMoreThanOneWay) {
  EXPECT_EQ(published_device(test::source_catalog(), "B200-SXM")->name, "b200");
  EXPECT_EQ(published_device(test::source_catalog(), "abacus-sxm"), nullptr);
  const Cluster b200 = cluster(
      R"("gpu": "B200-SXM", "gpus": 8, "per_node": 8, "nodes": 1, "interconnect": "NVLink 5 / NVSwitch")");
  EXPECT_EQ(b200.interconnect.kind, InterconnectKind::nvswitch);
  EXPECT_EQ(b200.devices_per_node, 8);
}

}  // namespace
}  // namespace paceline
