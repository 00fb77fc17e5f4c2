// No collective is faster than its links, whatever the cluster, the group and the size; more bytes never take
// less.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

constexpr CollectiveKind kinds[] = {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                    CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                                    CollectiveKind::reduce};

struct Case {
  const Cluster& cluster;
  CollectiveKind kind;
  CollectiveGroup group;
};

// Calls with every kind and group of every cluster: all numbers of devices in a node, and up to 16 nodes.
template <class Check>
void for_every_group(Check check) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  for (const std::string& name : hardware.cluster_names()) {
    const Cluster& cluster = hardware.cluster(name);
    if (cluster.interconnect.kind == InterconnectKind::torus) continue;  // its collectives have no laws
    const int local = cluster.devices_per_node;
    std::vector<CollectiveGroup> groups;
    for (int ranks = 2; ranks <= std::min(local, 8); ++ranks) groups.push_back({ranks, local});
    if (local > 8) groups.push_back({local, local});
    for (const int nodes : {2, 3, 4, 16})
      if (nodes <= cluster.max_nodes) groups.push_back({nodes * local, local});
    const CollectiveCost cost(hardware, cluster, nullptr);
    for (const CollectiveKind kind : kinds)
      for (const CollectiveGroup& group : groups) check(cost, Case{cluster, kind, group});
  }
}

std::string shown(const Case& which, double bytes) {
  return which.cluster.name + ", kind " + std::to_string(static_cast<int>(which.kind)) + ", " +
         std::to_string(which.group.ranks) + " ranks, " + std::to_string(bytes) + " B";
}

// Bytes that a rank must send at least: 2 (n - 1) / n S of an all-reduce, or S where switches add up; half
// for its halves, S for broadcast and reduce.
double least_sent(const Case& which, double size, const std::string& algorithm) {
  const double n = which.group.ranks;
  if (which.kind == CollectiveKind::all_reduce)
    return algorithm.starts_with("NVLS") ? size : 2 * (n - 1) / n * size;
  if (which.kind == CollectiveKind::broadcast || which.kind == CollectiveKind::reduce) return size;
  return (n - 1) / n * size;
}

// Bytes that a node must send at least: 2 (N - 1) / N S, of two nodes S.
double least_sent_by_node(const Case& which, double size) {
  const double nodes = which.group.nodes();
  const double half = (nodes - 1) / nodes * size;
  return which.kind == CollectiveKind::all_reduce ? 2 * half : half;
}

// No allowance: whatever efficiencies the laws multiply, the data sheet's rate of the wires is the bound.
TEST(CollectiveBounds, NoneIsFasterThanTheLinksOfItsRanks) {
  for_every_group([](const CollectiveCost& cost, const Case& which) {
    const int local = std::min(which.group.ranks, which.group.per_node);
    if (local < 2) return;
    for (double size = 1024; size <= 1 << 30; size *= 8) {
      const CollectiveTime time = cost.collective(which.kind, Bytes(size), which.group);
      const double least = least_sent(which, size, time.algorithm) / cost.link_rate(local).value();
      ASSERT_GE(time.total().value(), least)
          << shown(which, size) << ' ' << time.algorithm << ' ' << time.protocol;
    }
  });
}

TEST(CollectiveBounds, NoneIsFasterThanTheNetworkOfItsNodes) {
  for_every_group([](const CollectiveCost& cost, const Case& which) {
    if (which.group.nodes() < 2) return;
    for (double size = 1024; size <= 1 << 30; size *= 8) {
      const CollectiveTime time = cost.collective(which.kind, Bytes(size), which.group);
      const double least = least_sent_by_node(which, size) / cost.network_rate().value();
      ASSERT_GE(time.total().value(), least)
          << shown(which, size) << ' ' << time.algorithm << ' ' << time.protocol;
    }
  });
}

// Sizes a factor 1.3 apart, so that every change of algorithm and protocol lies between two of them.
TEST(CollectiveBounds, MoreBytesNeverTakeLess) {
  for_every_group([](const CollectiveCost& cost, const Case& which) {
    Seconds before;
    for (double size = 64; size <= 1 << 30; size *= 1.3) {
      const Seconds time = cost.collective(which.kind, Bytes(size), which.group).total();
      ASSERT_GE(time.value(), before.value() * (1 - 1e-12)) << shown(which, size);
      before = time;
    }
  });
}

// A link or port of half the rate never makes a collective faster.
TEST(CollectiveBounds, ASlowerLinkNeverTakesLess) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  for_every_group([&](const CollectiveCost& cost, const Case& which) {
    Cluster slow = which.cluster, narrow = which.cluster;
    slow.interconnect.rate *= 0.5;
    if (narrow.network) narrow.network->rate *= 0.5;
    const CollectiveCost slow_cost(hardware, slow, nullptr), narrow_cost(hardware, narrow, nullptr);
    for (double size = 1024; size <= 1 << 30; size *= 32) {
      const Seconds time = cost.collective(which.kind, Bytes(size), which.group).total();
      ASSERT_GE(slow_cost.collective(which.kind, Bytes(size), which.group).total(), time)
          << shown(which, size);
      ASSERT_GE(narrow_cost.collective(which.kind, Bytes(size), which.group).total(), time)
          << shown(which, size);
    }
  });
}

TEST(CollectiveBounds, ComputeNeverStopsAndEveryTimeHasAnUncertainty) {
  for_every_group([](const CollectiveCost& cost, const Case& which) {
    for (double size = 1024; size <= 1 << 30; size *= 32) {
      const CollectiveTime time = cost.collective(which.kind, Bytes(size), which.group);
      ASSERT_GE(time.compute_slowdown, 0);
      ASSERT_LT(time.compute_slowdown, 1) << shown(which, size);
      ASSERT_GT(time.uncertainty, 0) << shown(which, size);
      ASSERT_EQ(time.provenance, Provenance::modelled);
    }
  });
}

}  // namespace
}  // namespace paceline
