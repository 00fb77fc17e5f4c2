// Copies between devices of a node, and between host and device.
#include <gtest/gtest.h>

#include "tests/sim/support/step.h"

namespace paceline {
namespace {

CollectiveCost cost_of(const std::string& cluster) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  return {hardware, hardware.cluster(cluster), nullptr};
}

// 0.76 of a PCIe 3.0 slot: 100 MB / (0.76 x 15.75 GB/s) = 8.354 ms, and 6.1 us to start.
TEST(HostCopy, GoesThroughTheSlot) {
  EXPECT_NEAR(cost_of("dgx-1v").host_copy(Bytes(100e6)).total().value(), 100e6 / (0.76 * 15.75e9) + 6.1e-6,
              1e-9);
}

// One NVLink of 25 GB/s between two GPUs of a cube mesh, however many rings the group has: 0.96 x 25 GB/s.
TEST(PeerCopy, UsesOnePathOfACubeMesh) {
  const double expected = 100e6 / (0.96 * 25e9) + 6.7e-6;
  EXPECT_NEAR(cost_of("dgx-1v").peer_copy(Bytes(100e6), 2).total().value(), expected, 1e-9);
  EXPECT_NEAR(cost_of("dgx-1v").peer_copy(Bytes(100e6), 8).total().value(), expected, 1e-9);
}

// Without peer access a copy goes to host memory and back: 0.19 of the slot.
TEST(PeerCopy, WithoutPeerAccessGoesThroughTheHost) {
  EXPECT_NEAR(cost_of("2x-rtx-3090").peer_copy(Bytes(100e6), 2).total().value(),
              100e6 / (0.19 * 31.5e9) + 5.5e-6, 1e-9);
  EXPECT_LT(cost_of("2x-rtx-3090-nvlink").peer_copy(Bytes(100e6), 2).total(),
            cost_of("2x-rtx-3090").peer_copy(Bytes(100e6), 2).total());
}

TEST(PeerCopy, IsNoFasterThanWhatJoinsTheDevices) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  for (const std::string& name : hardware.cluster_names()) {
    if (hardware.cluster(name).interconnect.kind == InterconnectKind::torus) continue;  // no constants
    const CollectiveCost cost(hardware, hardware.cluster(name), nullptr);
    for (int devices = 2; devices <= hardware.cluster(name).devices_per_node; devices += 2) {
      const GroupLink path =
          group_link(hardware.cluster(name), hardware.device(hardware.cluster(name).device), devices);
      const BytesPerSecond most = path.cap.value() > 0 ? std::min(path.cap, path.raw) : path.raw;
      EXPECT_GE(cost.peer_copy(gibibytes(1), devices).total(), gibibytes(1) / most) << name << ' ' << devices;
    }
  }
}

}  // namespace
}  // namespace paceline
