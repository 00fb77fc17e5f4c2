// Laws by hand, with round constants: times in microseconds, rates in GB/s = bytes per nanosecond.
#include "sim/collective/laws.h"

#include <gtest/gtest.h>

#include "sim/collective/gloo.h"

namespace paceline {
namespace {

// Four nodes of eight: E = 100 GB/s, W = 40 GB/s, steps of 1 and 10 us.
GroupTerms terms(CollectiveKind kind, double n, double local, double size) {
  GroupTerms t;
  t.kind = kind;
  t.n = n;
  t.local = local;
  t.nodes = n / local;
  t.size = size;
  t.steps = ring_steps(kind, n);
  t.inter_steps = t.nodes > 1 ? ring_steps(kind, t.nodes) : 0;
  t.volume = ring_volume(kind, n, size);
  t.depth = t.nodes > 2 ? 2 : t.nodes > 1 ? 1 : 0;
  t.raw = 125e9;
  t.rate = t.peer_rate = 100e9;
  t.wire = t.network = 40e9;
  t.nic = 5e9;
  t.channels = 16;
  t.link.base = microseconds(5);
  t.link.simple_base = microseconds(5);
  t.link.simple_step = microseconds(1);
  t.link.ll_step = microseconds(0.5);
  t.link.ll_channel_rate = gigabytes_per_second(5);
  t.link.nvls_efficiency = 0.8;
  t.link.nvls_base = microseconds(20);
  t.fabric.simple_step = microseconds(10);
  t.fabric.ll_step = microseconds(4);
  return t;
}

CollectiveConstants library() {
  CollectiveConstants constants;
  constants.fill_limit = Bytes(1e9);
  constants.ll_first_piece = Bytes(2048);
  constants.point_to_point_ll = Bytes(16384);
  constants.nvls_full_chunks = constants.ramp_unit = constants.ramp_limit = kibibytes(64);
  return constants;
}

double micro(Algorithm algorithm, Protocol protocol, const GroupTerms& t) {
  return law(algorithm, protocol, t, library())->total() * 1e6;
}

constexpr auto all_reduce = CollectiveKind::all_reduce;

// 14 steps of 1 us and 14/8 x 80 MB over 100 GB/s = 1400 us.
TEST(Laws, RingInANode) {
  EXPECT_NEAR(micro(Algorithm::ring, Protocol::simple, terms(all_reduce, 8, 8, 80e6)), 10 + 14 + 1400, 1e-6);
}

// 62 steps, 6 of them between nodes: 10 + 56 + 60 us; 62/32 x 80 MB over the NICs' 40 GB/s = 3875 us.
TEST(Laws, RingOverNodesIsBoundByTheNics) {
  const GroupTerms t = terms(all_reduce, 32, 8, 80e6);
  EXPECT_NEAR(micro(Algorithm::ring, Protocol::simple, t), 10 + 56 + 60 + 3875, 1e-6);
  EXPECT_EQ(law(Algorithm::ring, Protocol::simple, t, library())->binding, Binding::network);
}

// Each half of the data crosses once each way between two nodes: S / W = 2000 us; 2 (7 x 1 + 10) us of steps.
TEST(Laws, TreeOfTwoNodesSendsTheMessageOnce) {
  const GroupTerms t = terms(all_reduce, 16, 8, 80e6);
  EXPECT_NEAR(micro(Algorithm::tree, Protocol::simple, t), 10 + 34 + 2000, 1e-6);
  EXPECT_DOUBLE_EQ(law(Algorithm::tree, Protocol::simple, t, library())->network, 80e6);
  // An inner node of a tree over four sends 2 S.
  EXPECT_DOUBLE_EQ(law(Algorithm::tree, Protocol::simple, terms(all_reduce, 32, 8, 80e6), library())->network,
                   160e6);
}

// 70 MB over 0.8 x 125 GB/s x 7/8 = 800 us, after 25 us.
TEST(Laws, SwitchReduction) {
  EXPECT_NEAR(micro(Algorithm::nvls, Protocol::simple, terms(all_reduce, 8, 8, 70e6)), 25 + 800, 1e-6);
}

// The network's switches take every part once: S / W = 2000 us, and two crossings.
TEST(Laws, NetworkReduction) {
  const GroupTerms t = terms(all_reduce, 32, 8, 80e6);
  EXPECT_NEAR(micro(Algorithm::collnet_direct, Protocol::simple, t), 10 + 2 * 1 + 2 * 10 + 2000, 1e-6);
  EXPECT_NEAR(micro(Algorithm::nvls, Protocol::simple, t), 25 + 20 + 2000, 1e-6);
}

// One rank on each of 16 nodes: four steps in place of fifteen; 15/16 x 16 MB over 40 GB/s = 375 us.
TEST(Laws, AggregatedTrees) {
  const GroupTerms t = terms(CollectiveKind::all_gather, 16, 1, 16e6);
  EXPECT_NEAR(micro(Algorithm::pat, Protocol::simple, t), 10 + 4 * 10 + 375, 1e-6);
  EXPECT_NEAR(micro(Algorithm::ring, Protocol::simple, t), 10 + 15 * 10 + 375, 1e-6);
}

// LL in one channel: 8 KiB of two ranks are two pieces of 4 KiB, of which a channel takes 2 KiB a step.
TEST(Laws, LowLatencyProtocolOpensChannelsOneByOne) {
  const GroupTerms small = terms(all_reduce, 2, 2, 2048);  // pieces of 1 KiB
  EXPECT_NEAR(micro(Algorithm::ring, Protocol::ll, small), 5 + 2 * 0.5 + 2 * 1024 / 5e3, 1e-6);
  const GroupTerms middle = terms(all_reduce, 2, 2, 32768);  // 16 KiB a step in 8 channels of 2 KiB
  EXPECT_NEAR(micro(Algorithm::ring, Protocol::ll, middle), 5 + 2 * 0.5 + 2 * 2048 / 5e3, 1e-6);
}

// 24/32 of 80 MB leave the node of every one of its eight ranks: 480 MB over 40 GB/s.
TEST(Laws, AllToAllOverNodes) {
  const GroupTerms t = terms(CollectiveKind::all_to_all, 32, 8, 80e6);
  EXPECT_NEAR(micro(Algorithm::point_to_point, Protocol::simple, t), 5 + 0.5 + 4 + 1 + 12000, 1e-6);
  // A pair on two nodes has its share of the NICs: 10 MB over 5 GB/s.
  const GroupTerms pair = terms(CollectiveKind::send_receive, 16, 8, 10e6);
  EXPECT_NEAR(micro(Algorithm::point_to_point, Protocol::simple, pair), 5 + 0.5 + 4 + 1 + 2000, 1e-6);
}

TEST(Laws, WhatAnAlgorithmDoesNotKnow) {
  const auto has = [](Algorithm algorithm, const GroupTerms& t, Protocol protocol = Protocol::simple) {
    return law(algorithm, protocol, t, library()).has_value();
  };
  EXPECT_FALSE(has(Algorithm::tree, terms(CollectiveKind::all_gather, 8, 8, 1e6)));
  EXPECT_FALSE(has(Algorithm::nvls_tree, terms(all_reduce, 8, 8, 1e6)));
  EXPECT_FALSE(has(Algorithm::collnet_direct, terms(all_reduce, 8, 8, 1e6)));
  EXPECT_FALSE(has(Algorithm::pat, terms(CollectiveKind::all_gather, 16, 8, 1e6)));
  EXPECT_FALSE(has(Algorithm::ring, terms(CollectiveKind::all_to_all, 8, 8, 1e6)));
  EXPECT_FALSE(has(Algorithm::ring, terms(all_reduce, 8, 8, 1e6), Protocol::ll128));  // no constants
}

// Hosts: a ring of four nodes over 40 GB/s moves 6/4 x 80 MB in 3000 us and 6 steps of 10 us; the tensor goes
// down to the host and up again over 100 GB/s, 1600 us. Halving and doubling: 2 x 2 steps, the same bytes.
TEST(HostLaws, RingAndHalvingDoubling) {
  const GroupTerms t = terms(all_reduce, 4, 1, 80e6);
  EXPECT_NEAR(host_law(Algorithm::ring, t)->total() * 1e6, 5 + 60 + 3000 + 1600, 1e-6);
  EXPECT_NEAR(host_law(Algorithm::halving_doubling, t)->total() * 1e6, 5 + 40 + 3000 + 1600, 1e-6);
  EXPECT_FALSE(host_law(Algorithm::tree, t));
  EXPECT_FALSE(host_law(Algorithm::halving_doubling, terms(CollectiveKind::broadcast, 4, 1, 80e6)));
}

}  // namespace
}  // namespace paceline
