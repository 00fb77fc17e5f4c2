// Every device and cluster of the source tree has figures that hardware can have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/hardware/topology.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

class SourceCatalog : public ::testing::Test {
 protected:
  HardwareCatalog catalog_ = HardwareCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios");
};

void expect_sane(const HardwareCatalog& catalog, const Device& device) {
  SCOPED_TRACE(device.name);
  EXPECT_FALSE(device.title.empty());
  EXPECT_FALSE(device.sources.empty()) << "a figure without a source";
  // 4 GiB (a K20m has 5) to 1 TiB; one DDR4 channel (10 GB/s) to 20 TB/s.
  EXPECT_THAT(device.memory.value(), AllOf(Ge(4.0 * (1ULL << 30)), Le(1024.0 * (1ULL << 30))));
  EXPECT_THAT(device.memory_bandwidth.value(), AllOf(Ge(1e10), Le(2e13)));
  EXPECT_THAT(device.clock_factor, AllOf(Ge(0.3), Le(1.5)));
  const bool any = std::any_of(device.peak.begin(), device.peak.end(), [](const auto& peak) { return peak; });
  EXPECT_TRUE(any) << "no peak at all";
  for (const auto& peak : device.peak)
    EXPECT_THAT(peak.value_or(FlopsPerSecond(1e12)).value(), AllOf(Ge(1e10), Le(1e16)));
  const NvLink links = device.nvlink.value_or(NvLink{});
  EXPECT_LE((links.rate * links.links).value(), 2e12);
  EXPECT_GT(pcie_rate(device.pcie_generation, device.pcie_lanes), BytesPerSecond(0));
  EXPECT_EQ(&catalog.device(device.name), &device) << "hidden by an alias";
}

TEST_F(SourceCatalog, EveryDeviceHasFiguresThatHardwareCanHave) {
  ASSERT_GE(catalog_.device_names().size(), 50U);
  for (const std::string& name : catalog_.device_names()) expect_sane(catalog_, catalog_.device(name));
}

// 16-bit units are never slower than 32-bit ones, nor are TF32's.
TEST_F(SourceCatalog, LowerPrecisionIsNeverSlower) {
  for (const std::string& name : catalog_.device_names()) {
    const auto& peak = catalog_.device(name).peak;
    const auto expect_order = [&](Precision slow, Precision fast) {
      const auto a = peak[static_cast<std::size_t>(slow)], b = peak[static_cast<std::size_t>(fast)];
      if (a && b) {
        EXPECT_LE(*a, *b) << to_string(slow) << " and " << to_string(fast);
      }
    };
    SCOPED_TRACE(name);
    // Pascal's gaming cards have next to no fp16 rate; they would not be asked for it.
    if (catalog_.device(name).architecture == "pascal") continue;
    expect_order(Precision::fp32, Precision::fp16);
    expect_order(Precision::fp32, Precision::tf32);
    expect_order(Precision::tf32, Precision::fp16);
  }
}

void expect_sane(const HardwareCatalog& catalog, const Cluster& cluster) {
  SCOPED_TRACE(cluster.name);
  const Device& device = catalog.device(cluster.device);
  EXPECT_FALSE(cluster.title.empty());
  EXPECT_FALSE(cluster.source.empty());
  const bool torus = cluster.interconnect.kind == InterconnectKind::torus;
  EXPECT_THAT(cluster.devices_per_node, AllOf(Ge(1), Le(torus ? 8960 : 72)));  // an NVLink rack, a TPU pod
  EXPECT_THAT(cluster.interconnect.rate.value(), AllOf(Ge(5e9), Le(1e12)));
  EXPECT_EQ(cluster.max_nodes > 1, cluster.network.has_value());
  if (cluster.network) {
    static_cast<void>(catalog.fabric(cluster.network->fabric));
    // 1 Gb/s to 800 Gb/s a port; a node's network is no faster than its devices' links.
    EXPECT_THAT(cluster.network->rate.value(), AllOf(Ge(1.25e8), Le(1e11)));
    EXPECT_LE((cluster.network->rate * cluster.network->nics).value(),
              cluster.interconnect.rate.value() * cluster.devices_per_node * 6);
  }
  if (cluster.interconnect.kind == InterconnectKind::pcie) {
    EXPECT_LE(cluster.interconnect.rate, pcie_rate(device.pcie_generation, device.pcie_lanes));
  }
  EXPECT_EQ(&catalog.cluster(cluster.name), &cluster) << "hidden by an alias";
}

TEST_F(SourceCatalog, EveryClusterHasFiguresThatHardwareCanHave) {
  ASSERT_GE(catalog_.cluster_names().size(), 60U);
  for (const std::string& name : catalog_.cluster_names()) expect_sane(catalog_, catalog_.cluster(name));
}

// NVLink of the cluster is what the device's links add up to; of a cube mesh, one link.
TEST_F(SourceCatalog, NvlinkOfAClusterIsThatOfItsDevice) {
  for (const std::string& name : catalog_.cluster_names()) {
    const Cluster& cluster = catalog_.cluster(name);
    const auto& nvlink = catalog_.device(cluster.device).nvlink;
    SCOPED_TRACE(name);
    if (cluster.interconnect.kind == InterconnectKind::nvlink_cube_mesh) {
      ASSERT_TRUE(nvlink);
      EXPECT_EQ(cluster.interconnect.rate, nvlink->rate);
    }
    if (cluster.interconnect.kind == InterconnectKind::nvswitch) {
      ASSERT_TRUE(nvlink);
      EXPECT_EQ(cluster.interconnect.rate, nvlink->rate * nvlink->links);
    }
  }
}

TEST_F(SourceCatalog, AliasesStandForTheThingItself) {
  EXPECT_EQ(catalog_.cluster("dgx-1").name, "dgx-1v");
  EXPECT_EQ(catalog_.device("v100-sxm2").name, "v100-sxm2-16gb");
  EXPECT_TRUE(catalog_.has_cluster("dlperf-v100"));
  EXPECT_FALSE(catalog_.has_cluster("dgx-9"));
  EXPECT_THAT(catalog_.cluster_names(), ::testing::Not(::testing::Contains("dgx-1")));
}

TEST_F(SourceCatalog, AnUnknownNameSuggestsTheNearest) {
  EXPECT_EQ(refusal([&] { return catalog_.cluster("dgx-h10"); }),
            "cluster: found \"dgx-h10\", expected a cluster of the catalog; did you mean \"dgx-h100\"?");
  EXPECT_EQ(refusal([&] { return catalog_.device("rtx-309O"); }),
            "device: found \"rtx-309O\", expected a device of the catalog; did you mean \"rtx-3090\"?");
  EXPECT_EQ(refusal([&] { return catalog_.device("abacus"); }),
            "device: found \"abacus\", expected a device of the catalog; `paceline list devices` shows them");
}

TEST_F(SourceCatalog, AClusterCanBeAdded) {
  Cluster cluster = catalog_.cluster("dgx-1v");
  cluster.name = "mine";
  catalog_.add_cluster(cluster);
  EXPECT_EQ(catalog_.cluster("mine").device, "v100-sxm2-16gb");
}

}  // namespace
}  // namespace paceline
