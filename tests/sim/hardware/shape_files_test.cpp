// Shapes in cluster files: what is read, and what is refused because it does not fit or would change nothing.
#include <gtest/gtest.h>

#include "sim/hardware/hardware_files.h"
#include "sim/hardware/topology.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::refusal;

Cluster read(const std::string& interconnect, const std::string& more = R"(, "max_nodes": 1)",
             int devices = 4) {
  return read_cluster(JsonValue::parse_text(R"({"format": "paceline/cluster-1", "name": "c", "title": "T",
      "source": "S", "device": "d", "devices_per_node": )" +
                                                std::to_string(devices) + R"(, "interconnect": )" +
                                                interconnect + more + "}",
                                            "c.json"));
}
std::string refused(const std::string& interconnect, int devices = 4) {
  return refusal([&] { return read(interconnect, R"(, "max_nodes": 1)", devices); });
}
Cluster read_shape(const std::string& shape, int nics = 8) {
  return read(R"({"kind": "nvswitch", "rate": "300GB/s"})",
              R"(, "max_nodes": 64, "network": {"fabric": "roce", "nics": )" + std::to_string(nics) +
                  R"(, "rate": "200Gb/s", "shape": )" + shape + "}");
}
std::string refused_shape(const std::string& shape, int nics = 8) {
  return refusal([&] { return read_shape(shape, nics); });
}

TEST(ShapeFiles, OfEveryKindAreRead) {
  const auto leaf = std::get<LeafSpine>(
      read_shape(R"({"kind": "leaf-spine", "hosts_per_leaf": 16, "oversubscription": 2})").network->shape);
  EXPECT_EQ(leaf.hosts_per_leaf, 16);
  EXPECT_EQ(leaf.oversubscription, 2);
  const auto rails = std::get<RailOptimized>(
      read_shape(R"({"kind": "rail-optimized", "hosts_per_leaf": 32, "oversubscription": 1})")
          .network->shape);
  EXPECT_EQ(rails.hosts_per_leaf, 32);
  const auto tree = std::get<FatTree>(
      read_shape(R"({"kind": "fat-tree", "hosts_per_edge": 4, "edges_per_pod": 4, "edge_oversubscription": 2,
                     "pod_oversubscription": 3})")
          .network->shape);
  EXPECT_EQ(tree.edges_per_pod, 4);
  EXPECT_EQ(tree.pod_oversubscription, 3);
  const auto fly = std::get<Dragonfly>(
      read_shape(R"({"kind": "dragonfly", "groups": 4, "routers_per_group": 4, "hosts_per_router": 4,
                     "global_links": 2})")
          .network->shape);
  EXPECT_EQ(fly.link_rate, gigabytes_per_second(25)) << "that of a NIC";
  EXPECT_TRUE(
      std::holds_alternative<SingleSwitch>(read_shape(R"({"kind": "single-switch"})").network->shape));
}

TEST(ShapeFiles, ThatDoNotFitAreRefused) {
  EXPECT_EQ(refused_shape(R"({"kind": "leaf-spine", "hosts_per_leaf": 64, "oversubscription": 2})"),
            "c.json: /network/shape/hosts_per_leaf: found 64, expected fewer nodes than max_nodes, 64, below "
            "one switch; leave \"shape\" out for a single switch");
  EXPECT_EQ(refused_shape(R"({"kind": "leaf-spine", "hosts_per_leaf": 16, "oversubscription": 0.5})"),
            "c.json: /network/shape/oversubscription: found 0.5, expected a number from 1 to 1000");
  EXPECT_EQ(refused_shape(R"({"kind": "rail-optimized", "hosts_per_leaf": 8, "oversubscription": 1})", 1)
                .substr(0, 23),
            "c.json: /network/shape:");
  EXPECT_EQ(
      refused_shape(R"({"kind": "dragonfly", "groups": 10, "routers_per_group": 4,
                              "hosts_per_router": 4, "global_links": 2})"),
      "c.json: /network/shape/global_links: found 2, expected a link to each of the 9 other groups from a "
      "group's 4 routers");
  EXPECT_NE(refused_shape(R"({"kind": "dragonfly", "groups": 2, "routers_per_group": 4,
                              "hosts_per_router": 4, "global_links": 2})")
                .find("expected places for max_nodes, 64; it has 32; lower max_nodes or add groups"),
            std::string::npos);
  EXPECT_NE(refused_shape(R"({"kind": "single-switch", "oversubscription": 2})").find("unknown field"),
            std::string::npos);
}

// Four devices in a circle of two links each: a device has four, of 100 GB/s together.
TEST(ShapeFiles, ALinkMatrixGivesTheRingsOfAMesh) {
  const Cluster circle = read(R"({"kind": "nvlink-mesh", "rate": "100GB/s",
      "links": [[0, 2, 0, 2], [2, 0, 2, 0], [0, 2, 0, 2], [2, 0, 2, 0]]})");
  EXPECT_EQ(group_link(circle, Device{}, 4).rings, 4);
  EXPECT_DOUBLE_EQ(group_link(circle, Device{}, 4).raw.value(), 100e9);
  EXPECT_DOUBLE_EQ(group_link(circle, Device{}, 2).raw.value(), 50e9);
  // Three of a circle have no cycle: 0-1-2 with two links each, the way back hops.
  EXPECT_EQ(group_link(circle, Device{}, 3).efficiency, 0.83);
}

TEST(ShapeFiles, ALinkMatrixThatIsNoneIsRefused) {
  const auto mesh = [](const std::string& links) {
    return refused(R"({"kind": "nvlink-mesh", "rate": "50GB/s", "links": )" + links + "}", 2);
  };
  EXPECT_EQ(mesh("[[0, 1], [1, 0]]"), "accepted");
  EXPECT_EQ(mesh("[[0, 1]]"),
            "c.json: /interconnect/links: found an array of 1, expected 2 rows, one a device");
  EXPECT_EQ(mesh("[[0, 1], [1]]"),
            "c.json: /interconnect/links/1: found an array of 1, expected 2 numbers of links, one a device");
  EXPECT_EQ(mesh("[[0, 1], [2, 0]]"),
            "c.json: /interconnect/links/1/0: found 2, expected 1, the links the other way; a link goes both "
            "ways");
  EXPECT_EQ(mesh("[[1, 1], [1, 0]]"),
            "c.json: /interconnect/links/0/0: found 1, expected 0, as a device has no link to itself");
  EXPECT_EQ(mesh("[[0, 0], [0, 0]]"),
            "c.json: /interconnect/links: found an array of 2, expected links over which all devices are "
            "reached; for "
            "pairs of devices use nvlink-bridge");
  EXPECT_EQ(refused(R"({"kind": "nvswitch", "rate": "50GB/s", "links": [[0, 1], [1, 0]]})", 2),
            "c.json: /interconnect/links: found an array of 2, expected no \"links\" for this kind; use "
            "nvlink-mesh, "
            "nvlink-cube-mesh or xgmi-mesh");
}

TEST(ShapeFiles, ATorusMustHoldTheDevices) {
  const Cluster pod = read(R"({"kind": "torus", "rate": "45GB/s", "dimensions": [{"size": 4}, {"size": 4},
                               {"size": 2, "rate": "10GB/s"}]})",
                           R"(, "max_nodes": 1)", 32);
  ASSERT_EQ(pod.interconnect.torus.size(), 3U);
  EXPECT_TRUE(pod.interconnect.torus[0].wrap);
  EXPECT_FALSE(pod.interconnect.torus[2].wrap);
  EXPECT_EQ(pod.interconnect.torus[2].rate, gigabytes_per_second(10));
  EXPECT_NEAR(group_link(pod, Device{}, 16).raw.value(), 4 * 45e9, 1);  // a layer: four links a device
  EXPECT_EQ(refused(R"({"kind": "torus", "rate": "45GB/s", "dimensions": [{"size": 4}, {"size": 4}]})", 32),
            "c.json: /interconnect/dimensions: found an array of 2, expected sizes whose product, 16, is "
            "devices_per_node, 32");
  EXPECT_EQ(refused(R"({"kind": "torus", "rate": "45GB/s",
                        "dimensions": [{"size": 2, "wrap": true}, {"size": 2}]})"),
            "c.json: /interconnect/dimensions/0/wrap: found true, expected three devices or more for a ring");
  EXPECT_NE(refused(R"({"kind": "torus", "rate": "45GB/s"})").find("no field \"dimensions\""),
            std::string::npos);
  EXPECT_NE(refused(R"({"kind": "pcie", "rate": "10GB/s", "dimensions": []})").find("use the kind torus"),
            std::string::npos);
}

}  // namespace
}  // namespace paceline
