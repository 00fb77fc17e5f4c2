// Published tables of collectives: what is read, what cannot be asked, and how well they are met.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/study/collective_machine.h"
#include "sim/study/validate_collectives.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

const CollectiveValidation& all() {
  static const CollectiveValidation validation =
      validate_collectives(test::source_catalog(), test::data_folder(), {}, CollectiveKnowledge::catalog);
  return validation;
}
const PointErrors& regime(const CollectiveValidation& validation, const std::string& name) {
  for (const PointErrors& errors : validation.regimes)
    if (errors.name == name) return errors;
  throw std::logic_error(name);
}

// From catalog and mechanism alone. What independent tables of the same machine differ by: 1 to 6 % at 1 GiB,
// up to a factor 2.6 below 1 MiB.
TEST(PublishedCollectives, AreMetWithinTheScatterOfTheSources) {
  EXPECT_GE(regime(all(), "one-node-small").within_two, 0.95);
  const std::map<std::string, std::pair<double, double>> bounds{{"one-node-middle", {0.12, 0.42}},
                                                                {"one-node-large", {0.05, 0.18}},
                                                                {"multi-node-small", {0.18, 0.55}},
                                                                {"multi-node-large", {0.08, 0.35}}};
  for (const auto& [name, bound] : bounds) {
    EXPECT_LE(regime(all(), name).median, bound.first) << name;
    EXPECT_LE(regime(all(), name).p90, bound.second) << name;
    EXPECT_GT(regime(all(), name).points, 100U) << name;
  }
}

// Nine of ten measurements lie inside the interval; 0.88 for the smallest group.
TEST(PublishedCollectives, LieInsideTheInterval) {
  for (const PointErrors& errors : all().regimes) EXPECT_GE(errors.inside, 0.88) << errors.name;
}

// Every other size of a table as a profile, the rest judged.
TEST(PublishedCollectives, AreMetCloserWithHalfOfThemMeasured) {
  const CollectiveValidation half = validate_collectives(test::source_catalog(), test::data_folder(), {},
                                                         CollectiveKnowledge::half_of_the_sizes);
  for (const PointErrors& errors : half.regimes) {
    EXPECT_LE(errors.median, 0.04) << errors.name;
    EXPECT_LE(errors.p90, 0.16) << errors.name;
    EXPECT_LT(errors.median, regime(all(), errors.name).median) << errors.name;
  }
}

// No more than one healthy table in ten says too little of its machine, and each says why.
TEST(PublishedCollectives, ThatCannotBeAskedSayWhy) {
  EXPECT_LT(static_cast<double>(all().unstated), 0.1 * static_cast<double>(all().tables.size()));
  for (const JudgedTable& judged : all().tables) EXPECT_EQ(judged.points.empty(), !judged.why_not.empty());
}

// A measured time below the bound of the wires would make the machine's description wrong.
TEST(PublishedCollectives, NoneIsFasterThanTheWires) {
  for (const JudgedTable& judged : all().tables) {
    if (judged.points.empty()) continue;
    const PublishedCollective& table = judged.table;
    const CollectivePredictor predictor(test::source_catalog().hardware, *table.cluster, table.kind,
                                        table.group, table.settings);
    for (const JudgedPoint& point : judged.points)
      EXPECT_GE(point.point.time, predictor.least(Algorithm::nvls, point.point.bytes) * 0.99)
          << table.id << ' ' << point.point.bytes.value();
  }
}

struct Words {
  const char *gpu, *inside, *network;
  int devices, hosts;
};
std::variant<Cluster, std::string> machine(const Words& words) {
  return collective_machine(test::source_catalog(), {words.gpu, words.inside, words.network, words.devices,
                                                     words.hosts, words.devices * words.hosts});
}
Cluster cluster(const Words& words) { return std::get<Cluster>(machine(words)); }

TEST(CollectiveMachine, LinksInsideANode) {
  const Cluster switched =
      cluster({"H100-SXM5-80GB (DGX H100)", "NVLink4 18x25GB/s/dir via NVSwitch3", "none", 8, 1});
  EXPECT_EQ(switched.interconnect.kind, InterconnectKind::nvswitch);
  EXPECT_EQ(switched.interconnect.rate, gigabytes_per_second(450));
  EXPECT_EQ(cluster({"V100-SXM2", "NVLink2 hybrid cube mesh", "none", 8, 1}).interconnect.kind,
            InterconnectKind::nvlink_cube_mesh);
  EXPECT_EQ(cluster({"MI355X-288GB", "XGMI Infinity Fabric full mesh (7x76.5 GB/s/dir)", "none", 8, 1})
                .interconnect.rate,
            gigabytes_per_second(7 * 76.5));
  const Cluster host_staged = cluster({"RTX 5090-32GB", "PCIe5 x16, no P2P (host-staged)", "none", 4, 1});
  EXPECT_FALSE(host_staged.interconnect.peer_to_peer);
}

TEST(CollectiveMachine, NetworksBetweenNodes) {
  const Cluster ports = cluster({"A100-SXM4-40GB", "NVLink3 via NVSwitch2", "8x 2x100 Gb/s RoCE", 8, 2});
  EXPECT_EQ(ports.network->nics, 16);
  EXPECT_EQ(ports.network->rate, BytesPerSecond(12.5e9));
  EXPECT_EQ(ports.network->fabric, "roce");
  const Cluster some =
      cluster({"H100-SXM5-80GB", "NVLink4 via NVSwitch3", "2 of 8x 400 Gb/s InfiniBand", 2, 2});
  EXPECT_EQ(some.network->nics, 2);
  const Cluster rack =
      cluster({"GB200", "NVLink5 via NVSwitch4 (NVL72 single NVLink domain)", "none", 4, 18});
  EXPECT_EQ(rack.devices_per_node, 72);
}

TEST(CollectiveMachine, WhatIsNotStatedIsNotGuessed) {
  EXPECT_EQ(std::get<std::string>(machine({"Abacus", "NVLink", "none", 8, 1})),
            "device \"Abacus\" is not in the catalog");
  EXPECT_THAT(std::get<std::string>(machine({"H100-SXM5-80GB", "NVLink4 via NVSwitch3", "InfiniBand", 8, 2})),
              HasSubstr("rate or transport of the network is not stated"));
  EXPECT_THAT(std::get<std::string>(machine({"H100-SXM5-80GB", "string", "none", 8, 1})),
              HasSubstr("links inside a node are not known"));
}

class CollectiveFiles : public test::TempFolder {};

TEST_F(CollectiveFiles, OfAnotherKindAreRefused) {
  const auto refused = [&](const std::string& text) {
    const std::string file = write("tables.json", text);
    return test::refusal([&] { return read_published_collectives(test::source_catalog(), file); });
  };
  EXPECT_THAT(refused(R"({"format": "paceline/published-1", "kind": "training"})"), HasSubstr("collectives"));
  EXPECT_THAT(refused(R"({"format": "paceline/model-1"})"), HasSubstr("paceline/published-1"));
  EXPECT_THAT(refused(R"({"format": "paceline/published-1", "kind": "collectives", "tables": [{"id": "a",
      "system": {}, "run": {"collective": "all_reduce"}, "points": [[8]]}]})"),
              HasSubstr("/tables/0/points/0"));
}

}  // namespace
}  // namespace paceline
