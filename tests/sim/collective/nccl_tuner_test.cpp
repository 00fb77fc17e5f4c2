// NCCL's cost model by hand: latencies in microseconds, bandwidths in GB/s, of versions 2.27 and 2.28.
#include "sim/collective/nccl_tuner.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace paceline {
namespace {

constexpr double kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

NcclMachine switched(int capability, int ranks, double device) {
  NcclMachine machine;
  machine.compute_capability = capability;
  machine.ranks = ranks;
  machine.nvswitch = true;
  machine.path = machine.device = device;
  machine.nvls_hardware = capability >= 90;
  return machine;
}
NcclMachine a100() { return switched(80, 8, 240); }
NcclMachine h100(int ranks = 8) { return switched(90, ranks, 370.8); }
NcclMachine h100_nodes(int nodes) {
  NcclMachine machine = switched(90, 8 * nodes, 370.8);
  machine.nodes = nodes;
  machine.nics = 8;
  machine.nic = 50;
  return machine;
}

CollectiveSettings version(int number) {
  CollectiveSettings settings;
  settings.library.version = number;
  return settings;
}

class Tuned {
 public:
  explicit Tuned(const NcclMachine& machine, CollectiveKind kind = CollectiveKind::all_reduce,
                 const CollectiveSettings& settings = version(22809))
      : tuner_(machine, kind, settings) {}

  [[nodiscard]] const NcclEntry& entry(Algorithm algorithm, Protocol protocol) const {
    const auto& list = tuner_.entries();
    const auto found = std::find_if(list.begin(), list.end(), [&](const NcclEntry& entry) {
      return entry.algorithm == algorithm && entry.protocol == protocol;
    });
    EXPECT_NE(found, list.end());
    return *found;
  }
  void expect(Algorithm algorithm, Protocol protocol, double latency, double bandwidth) const {
    EXPECT_NEAR(entry(algorithm, protocol).latency, latency, 0.01);
    EXPECT_NEAR(entry(algorithm, protocol).bandwidth, bandwidth, 0.01);
  }
  void expect_time(Algorithm algorithm, Protocol protocol, double bytes, double time) const {
    EXPECT_NEAR(tuner_.time(entry(algorithm, protocol), bytes), time, 0.01);
  }
  void expect_choice(double bytes, Algorithm algorithm, Protocol protocol, double time) const {
    const NcclEntry* choice = tuner_.choose(bytes);
    ASSERT_NE(choice, nullptr);
    EXPECT_EQ(choice->algorithm, algorithm) << bytes;
    EXPECT_EQ(choice->protocol, protocol) << bytes;
    EXPECT_NEAR(tuner_.time(*choice, bytes), time, 0.01);
  }
  [[nodiscard]] const NcclTuner& tuner() const { return tuner_; }

 private:
  NcclTuner tuner_;
};

constexpr auto ring = Algorithm::ring, tree = Algorithm::tree, nvls = Algorithm::nvls;
constexpr auto nvls_tree = Algorithm::nvls_tree;
constexpr auto ll = Protocol::ll, ll128 = Protocol::ll128, simple = Protocol::simple;

// Graph 12 x 20: six channels of 40 out of 240 GB/s, doubled. Ring LL: 6.6 + 14 x 0.6 = 15.0 us and
// min(87.7, 0.5 x 240) x 8 / 14 = 50.114 GB/s.
TEST(NcclTuner, EightA100) {
  const Tuned tuned(a100());
  tuned.expect(ring, ll, 15.0, 50.114);
  tuned.expect(ring, ll128, 40.6, 126.171);
  tuned.expect(ring, simple, 56.0, 137.143);
  tuned.expect(tree, ll, 15.2, 29.053);
  tuned.expect(tree, ll128, 31.5, 85.867);
  tuned.expect(tree, simple, 64.4, 110.4);
  tuned.expect_time(ring, ll, 4 * kib, 15.082);
  tuned.expect_choice(mib, ring, ll, 35.924);
  tuned.expect_time(ring, ll128, mib, 48.911);
  tuned.expect_time(ring, simple, mib, 63.646);
  tuned.expect_time(tree, ll128, mib, 51.853);
  tuned.expect_choice(16 * mib, ring, ll128, 173.572);
  tuned.expect_time(ring, simple, 16 * mib, 178.334);
  tuned.expect_choice(256 * mib, ring, simple, 2013.342);
}

// NVLS: eight channels of min(40 x 0.85 x 7/8 x 2, 60) = 59.5, x 8/14 = 272.0 GB/s.
TEST(NcclTuner, EightH100) {
  const Tuned tuned(h100());
  tuned.expect_time(ring, ll128, mib, 46.140);
  tuned.expect_choice(mib, ring, ll, 28.014);
  tuned.expect(nvls, simple, 25, 272.0);
  tuned.expect_time(nvls, simple, mib, 28.855);
  tuned.expect_choice(256 * mib, nvls, simple, 1011.895);
  tuned.expect_time(ring, simple, 256 * mib, 1360.895);
  const Tuned gather(h100(), CollectiveKind::all_gather);
  gather.expect(ring, simple, 32.2, 411.429);
  gather.expect_time(ring, simple, 256 * mib, 684.647);
  gather.expect(ring, ll128, 27.3, 378.514);
}

// Graph 8 x 45: eight channels of 48 would exceed the 370.8 GB/s of a device.
TEST(NcclTuner, TwoNodesOfH100) {
  const Tuned tuned(h100_nodes(2));
  EXPECT_EQ(tuned.tuner().channels(), 16);
  tuned.expect(ring, simple, 131.6, 192.0);
  tuned.expect_time(ring, simple, gib, 5776.65);
  tuned.expect_time(tree, ll128, mib, 60.40);
  tuned.expect(tree, simple, 92.4, 165.6);
  tuned.expect_time(tree, simple, 64 * mib, 598.96);
  tuned.expect(nvls_tree, simple, 66.8, 246.187);
  tuned.expect_time(nvls_tree, simple, 64 * mib, 339.39);
  tuned.expect_choice(mib, tree, ll128, 60.40);
  tuned.expect_time(nvls_tree, simple, mib, 71.06);
}

TEST(NcclTuner, SixteenNodesOfH100) {
  const Tuned tuned(h100_nodes(16));
  tuned.expect(tree, ll128, 99.5, 116.0);
  tuned.expect(ring, ll128, 559.6, 147.956);
  tuned.expect_time(tree, ll128, 64 * mib, 742.31);
  tuned.expect_time(tree, simple, 64 * mib, 758.94);
  tuned.expect_time(ring, ll128, 64 * mib, 1013.17);
  tuned.expect_time(ring, simple, gib, 7584.63);
  tuned.expect_time(tree, simple, gib, 7632.94);
  tuned.expect(nvls_tree, simple, 192.2, 181.417);
  tuned.expect_choice(64 * mib, nvls_tree, simple, 562.11);
}

// PAT: 8 + 4 x 14/3.5 + 16 x 2.8 = 68.8 us; the ring's 15 steps of 14 us are still less for 16 MiB.
TEST(NcclTuner, OneDeviceANode) {
  NcclMachine machine = switched(80, 16, 0);
  machine.nvlink = machine.nvswitch = false;
  machine.nodes = 16;
  machine.nics = 1;
  machine.nic = 25;
  const Tuned tuned(machine, CollectiveKind::all_gather);
  tuned.expect(Algorithm::pat, simple, 68.8, 18.0);
  tuned.expect_time(Algorithm::pat, simple, 16 * mib, 1000.87);
  tuned.expect(ring, simple, 218.4, 25.6);
  tuned.expect_time(ring, simple, 16 * mib, 873.76);
}

// A log of 64 nodes with 2.27 shows Tree LL128 at 16 MiB and NVLSTree at 32 MiB; 2.28's row moves the switch
// above 32 MiB.
TEST(NcclTuner, SixtyFourNodesByVersion) {
  const Tuned old(h100_nodes(64), CollectiveKind::all_reduce, version(22707));
  old.expect_choice(16 * mib, tree, ll128, 294.2);
  old.expect_time(nvls_tree, simple, 16 * mib, 304.85);
  old.expect_choice(32 * mib, nvls_tree, simple, 416.7);
  const Tuned recent(h100_nodes(64));
  recent.expect_time(nvls_tree, simple, 16 * mib, 368.82);
  recent.expect_choice(32 * mib, tree, ll128, 454.9);
}

// A log of eight H200 with 2.27.7: Ring LL up to 1 MiB, NVLS from 2 MiB; NVLS from five devices on.
TEST(NcclTuner, SwitchReductionBySizeAndDevices) {
  const auto settings = version(22707);
  const Tuned tuned(h100(), CollectiveKind::all_reduce, settings);
  tuned.expect_choice(256 * kib, ring, ll, 18.254);
  tuned.expect_choice(mib, ring, ll, 28.014);
  tuned.expect_choice(2 * mib, nvls, simple, 32.864);
  tuned.expect_choice(16 * mib, nvls, simple, 87.914);
  for (const int ranks : {4, 5}) {
    const Tuned few(h100(ranks), CollectiveKind::all_reduce, settings);
    EXPECT_EQ(few.tuner().choose(8 * gib)->algorithm, ranks == 4 ? ring : nvls);
  }
}

// 12 x 20 -> 24 channels on eight A100, 12 x 30 -> 24 on eight H100.
TEST(NcclTuner, Channels) {
  EXPECT_EQ(Tuned(a100()).tuner().channels(), 24);
  EXPECT_EQ(Tuned(h100()).tuner().channels(), 24);
  auto settings = version(22809);
  settings.max_channels = 4;
  EXPECT_EQ(Tuned(h100(), CollectiveKind::all_reduce, settings).tuner().channels(), 4);
}

// Values that the switch cannot add up leave its algorithms out, and so do the settings.
TEST(NcclTuner, TypesAndSettingsRestrictTheChoice) {
  auto settings = version(22809);
  settings.type = DataType::int8;
  const Tuned bytes(h100(), CollectiveKind::all_reduce, settings);
  EXPECT_EQ(bytes.tuner().choose(gib)->algorithm, ring);
  settings.type = DataType::fp32;
  settings.nvls = false;
  EXPECT_EQ(Tuned(h100(), CollectiveKind::all_reduce, settings).tuner().choose(gib)->algorithm, ring);
  settings.algorithms = {tree};
  settings.protocols = {ll};
  const Tuned forced(h100(), CollectiveKind::all_reduce, settings);
  EXPECT_EQ(forced.tuner().entries().size(), 1U);
  EXPECT_EQ(forced.tuner().choose(gib)->algorithm, tree);
}

}  // namespace
}  // namespace paceline
