// Groups of a mesh over nodes whose devices share ports.
#include "sim/cost/transformer/group_times.h"

#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

Cluster with_ports(int ports) {
  Cluster cluster = test::source_catalog().hardware.cluster("dgx-a100-80");
  cluster.network->nics = ports;
  return cluster;
}

// Without latency, of sixteen ranks, eight on each node: all data groups are on a node's ports at once.
Seconds data_time(int ports, int tensor) {
  const Cluster cluster = with_ports(ports);
  const CollectiveCost collectives(test::source_catalog().hardware, cluster, nullptr);
  Parallelism parallelism;
  parallelism.degrees.tensor = tensor;
  const Mesh mesh(parallelism, 16, 8);
  const CollectiveTime time =
      GroupTimes(collectives, mesh).of(CollectiveKind::all_gather, gibibytes(1), GroupKind::data);
  return time.total() - time.latency;
}

// Eight groups of two ranks, one on each node, over 8, 4 and 1 port: each has a port, half of one, an eighth.
TEST(GroupTimes, GroupsOfANodeShareItsPorts) {
  EXPECT_NEAR(data_time(4, 8) / data_time(8, 8), 2, 1e-9);
  EXPECT_NEAR(data_time(1, 8) / data_time(8, 8), 8, 1e-9);
}

// One group with all ranks of a node has all of its ports.
TEST(GroupTimes, AGroupOfWholeNodesHasThePortsForItself) {
  const Cluster cluster = with_ports(4);
  const CollectiveCost collectives(test::source_catalog().hardware, cluster, nullptr);
  const Mesh mesh({}, 16, 8);
  const GroupTimes groups(collectives, mesh);
  EXPECT_EQ(groups.of(CollectiveKind::all_reduce, gibibytes(1), GroupKind::data).total().value(),
            collectives.collective(CollectiveKind::all_reduce, gibibytes(1), {16, 8}).total().value());
}

// Inside a node there is no port to share.
TEST(GroupTimes, GroupsInsideANodeDoNotUsePorts) {
  for (const int ports : {1, 8}) {
    const Cluster cluster = with_ports(ports);
    const CollectiveCost collectives(test::source_catalog().hardware, cluster, nullptr);
    Parallelism parallelism;
    parallelism.degrees.tensor = 4;
    const Mesh mesh(parallelism, 16, 8);
    EXPECT_EQ(GroupTimes(collectives, mesh)
                  .of(CollectiveKind::all_reduce, mebibytes(16), GroupKind::tensor)
                  .total()
                  .value(),
              collectives.collective(CollectiveKind::all_reduce, mebibytes(16), {4, 4}).total().value());
  }
}

}  // namespace
}  // namespace paceline
