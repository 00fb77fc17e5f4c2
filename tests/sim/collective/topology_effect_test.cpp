// A topology that is given changes the time of what crosses it, and nothing else.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

Cluster h100_nodes(const FabricShape& shape) {
  Cluster cluster = test::source_catalog().hardware.cluster("8x-h100-roce-8x400");
  cluster.network->shape = shape;
  return cluster;
}

double seconds(const Cluster& cluster, CollectiveKind kind, int nodes,
               const CollectiveSettings& settings = {}, double bytes = 4 * gib) {
  return CollectiveCost(test::source_catalog().hardware, cluster, nullptr, settings)
      .collective(kind, Bytes(bytes), {8 * nodes, 8})
      .total()
      .value();
}

constexpr CollectiveKind kinds[] = {CollectiveKind::all_reduce,     CollectiveKind::all_gather,
                                    CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                                    CollectiveKind::reduce,         CollectiveKind::all_to_all};

// Every second leaf uplink of two nodes carries one ring; 8:1 leaves a quarter of what it needs.
TEST(Oversubscription, SlowsWhatCrossesTheLeaves) {
  const Cluster open = h100_nodes(LeafSpine{2, 1}), narrow = h100_nodes(LeafSpine{2, 8});
  for (const CollectiveKind kind : kinds) {
    EXPECT_DOUBLE_EQ(seconds(open, kind, 8), seconds(h100_nodes(SingleSwitch{}), kind, 8));
    EXPECT_GT(seconds(narrow, kind, 8), 1.5 * seconds(open, kind, 8)) << to_string(kind);
    // Inside a node, and inside a leaf, nothing crosses.
    EXPECT_DOUBLE_EQ(seconds(narrow, kind, 1), seconds(open, kind, 1)) << to_string(kind);
    EXPECT_DOUBLE_EQ(seconds(narrow, kind, 2), seconds(open, kind, 2)) << to_string(kind);
  }
}

// An all-to-all sends seven eighths of its bytes through the spine, a ring in the order of the nodes one flow
// of every leaf's sixteen: oversubscription hurts the all-to-all first.
TEST(Oversubscription, HurtsAnAllToAllBeforeARing) {
  CollectiveSettings rings;
  rings.algorithms = {Algorithm::ring};
  rings.protocols = {Protocol::simple};
  const Cluster open = h100_nodes(LeafSpine{8, 1}), narrow = h100_nodes(LeafSpine{8, 4});
  EXPECT_DOUBLE_EQ(seconds(narrow, CollectiveKind::all_gather, 64, rings),
                   seconds(open, CollectiveKind::all_gather, 64, rings));
  EXPECT_GT(seconds(narrow, CollectiveKind::all_to_all, 64),
            3 * seconds(open, CollectiveKind::all_to_all, 64));
}

TEST(Oversubscription, MoreOfItIsNeverFaster) {
  for (const CollectiveKind kind : kinds) {
    CollectiveSettings settings;
    if (kind != CollectiveKind::all_to_all) settings.algorithms = {Algorithm::ring};
    double before = 0;
    for (const double oversubscription : {1.0, 1.5, 2.0, 4.0, 8.0, 16.0}) {
      const double now =
          seconds(h100_nodes(FatTree{2, 2, oversubscription, oversubscription}), kind, 16, settings);
      EXPECT_GE(now, before * (1 - 1e-12)) << to_string(kind);
      before = now;
    }
  }
}

// The settings that take a path away: no peer access, no RDMA, fewer channels.
TEST(Settings, ThatTakeAPathAwayNeverMakeItFaster) {
  const Cluster cluster = h100_nodes(SingleSwitch{});
  CollectiveSettings no_peers, no_rdma, few;
  no_peers.peer_to_peer = false;
  no_rdma.rdma = false;
  few.max_channels = 2;
  few.protocols = {Protocol::ll};
  CollectiveSettings many = few;
  many.max_channels = 24;
  for (const CollectiveKind kind : kinds) {
    EXPECT_GT(seconds(cluster, kind, 1, no_peers), 2 * seconds(cluster, kind, 1)) << to_string(kind);
    EXPECT_GT(seconds(cluster, kind, 2, no_rdma), 1.2 * seconds(cluster, kind, 2)) << to_string(kind);
    if (kind != CollectiveKind::all_to_all) {
      EXPECT_GT(seconds(cluster, kind, 1, few), seconds(cluster, kind, 1, many)) << to_string(kind);
    }
  }
}

// Gloo on the hosts: rings and halving-doubling give the same bytes; small messages take the fewer steps.
TEST(Gloo, TakesFewerStepsForSmallMessages) {
  const Cluster& cluster = test::source_catalog().hardware.cluster("cpu-1gbe");
  CollectiveSettings gloo;
  gloo.library.name = LibraryName::gloo;
  const CollectiveCost cost(test::source_catalog().hardware, cluster, nullptr, gloo);
  const CollectiveTime small = cost.collective(CollectiveKind::all_reduce, kibibytes(1), {16, 1});
  EXPECT_EQ(small.algorithm, "halving-doubling");
  EXPECT_EQ(cost.collective(CollectiveKind::broadcast, kibibytes(1), {16, 1}).algorithm, "ring");
  EXPECT_EQ(small.channels, 0);
}

// Without constants of a torus' links nothing is predicted.
TEST(Torus, WithoutMeasuredLinksIsRefused) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  for (const std::string& name : hardware.cluster_names()) {
    if (hardware.cluster(name).interconnect.kind != InterconnectKind::torus) continue;
    EXPECT_NE(test::refusal([&] { return CollectiveCost(hardware, hardware.cluster(name), nullptr); }),
              "accepted");
  }
}

}  // namespace
}  // namespace paceline
