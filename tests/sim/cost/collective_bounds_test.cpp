// No collective is faster than its links, whatever the cluster, the group and the size; more bytes never take
// less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

constexpr CollectiveKind kinds[] = {CollectiveKind::all_reduce,     CollectiveKind::all_gather,
                                    CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                                    CollectiveKind::reduce,         CollectiveKind::all_to_all,
                                    CollectiveKind::send_receive};

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
  if (which.kind == CollectiveKind::all_to_all)
    return std::min<double>(n, which.group.per_node) / n * size - size / n;
  const bool whole = which.kind == CollectiveKind::broadcast || which.kind == CollectiveKind::reduce ||
                     which.kind == CollectiveKind::send_receive;
  return whole ? size : (n - 1) / n * size;
}

// Bytes that a node must send at least: 2 (N - 1) / N S, of two nodes S.
double least_sent_by_node(const Case& which, double size) {
  const double nodes = which.group.nodes();
  const double n = which.group.ranks, local = which.group.per_node;
  if (which.kind == CollectiveKind::all_to_all) return (n - local) / n * size * local;
  const double half = (nodes - 1) / nodes * size;
  return which.kind == CollectiveKind::all_reduce ? 2 * half : half;
}

// No allowance: whatever efficiencies the laws multiply, the data sheet's rate of the wires is the bound.
TEST(CollectiveBounds, NoneIsFasterThanTheLinksOfItsRanks) {
  for_every_group([](const CollectiveCost& cost, const Case& which) {
    const int local = std::min(which.group.ranks, which.group.per_node);
    if (local < 2 || (which.kind == CollectiveKind::send_receive && which.group.nodes() > 1)) return;
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

// Times of every algorithm and protocol that the group may use.
std::map<std::string, double> times_by_choice(const CollectivePredictor& predictor, double size) {
  std::map<std::string, double> times;
  for (const CollectivePrediction& each : predictor.candidates(Bytes(size)))
    times[fmt::format("{} {}", to_string(each.algorithm), to_string(each.protocol))] = each.time.total();
  return times;
}
CollectivePredictor predictor_of(const Cluster& cluster, const Case& which) {
  return {test::source_catalog().hardware, cluster, which.kind, which.group, {}};
}

// Whichever the library takes; its choice itself may well be the slower one of two. Sizes a factor 1.3 apart.
// Sends of up to 16 KiB for each peer go another way than larger ones, so the two are not compared.
TEST(CollectiveBounds, MoreBytesNeverTakeLess) {
  for_every_group([](const CollectiveCost&, const Case& which) {
    const CollectivePredictor predictor = predictor_of(which.cluster, which);
    const double parts = which.kind == CollectiveKind::all_to_all ? which.group.ranks : 1;
    const bool peers = which.kind == CollectiveKind::all_to_all || which.kind == CollectiveKind::send_receive;
    std::map<std::string, double> before;
    for (double size = 64; size <= 1 << 30; size *= 1.3) {
      if (peers && size > 16384 * parts && size / 1.3 <= 16384 * parts) before.clear();
      const auto now = times_by_choice(predictor, size);
      for (const auto& [choice, time] : before) {
        ASSERT_GE(now.at(choice), time * (1 - 1e-12)) << shown(which, size) << choice;
      }
      before = now;
    }
  });
}

// A link or port of half the rate never makes a collective faster.
TEST(CollectiveBounds, ASlowerLinkNeverTakesLess) {
  for_every_group([&](const CollectiveCost&, const Case& which) {
    Cluster slow = which.cluster, narrow = which.cluster;
    slow.interconnect.rate *= 0.5;
    if (narrow.network) narrow.network->rate *= 0.5;
    const CollectivePredictor nominal = predictor_of(which.cluster, which);
    const CollectivePredictor others[] = {predictor_of(slow, which), predictor_of(narrow, which)};
    for (double size = 1024; size <= 1 << 30; size *= 32) {
      const auto times = times_by_choice(nominal, size);
      for (const CollectivePredictor& other : others)
        for (const auto& [choice, time] : times_by_choice(other, size)) {
          if (!times.contains(choice)) continue;
          ASSERT_GE(time, times.at(choice)) << shown(which, size) << choice;
        }
    }
  });
}

// The naive way: rank after rank sends its whole vector to one, which sends the result to each, over the
// slowest link, with the steps of the largest protocol.
TEST(CollectiveBounds, TheLibrarysChoiceIsBetweenTheFastestAndTheNaiveWay) {
  for_every_group([&](const CollectiveCost& cost, const Case& which) {
    const CollectivePredictor predictor(test::source_catalog().hardware, which.cluster, which.kind,
                                        which.group, {});
    for (double size = 1024; size <= 1 << 30; size *= 32) {
      const GroupTerms terms = sized(predictor.terms(), Bytes(size));
      double fastest = 1e9;
      for (const auto& [choice, time] : times_by_choice(predictor, size)) fastest = std::min(fastest, time);
      const double chosen = cost.collective(which.kind, Bytes(size), which.group).total().value();
      const double rate = terms.nodes > 1 ? std::min(terms.network, terms.rate) : terms.rate;
      const double step = terms.link.simple_step.value() + terms.fabric.simple_step.value();
      const double start = terms.link.base.value() + terms.link.simple_base.value() +
                           terms.link.nvls_base.value() + 2 * terms.fabric.ramp.value() + step;
      const double naive = start + 2 * (terms.n - 1) * (step + size / (0.3 * rate));
      ASSERT_GE(chosen, fastest * (1 - 1e-12)) << shown(which, size);
      ASSERT_LE(chosen, naive) << shown(which, size);
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
