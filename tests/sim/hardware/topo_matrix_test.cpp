// Matrices of `nvidia-smi topo -m`, and the clusters that they describe.
#include "sim/hardware/topo_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "sim/hardware/cluster_writer.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/hardware/hardware_files.h"
#include "sim/hardware/topo_cluster.h"
#include "sim/hardware/topology.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::ElementsAre;
using ::testing::StartsWith;

std::string sample(const std::string& name) {
  return read_file(std::string(PACELINE_SOURCE_DIR) + "/tests/cli/inputs/topo/" + name + ".txt");
}
TopoMatrix read(const std::string& text) { return read_topo_matrix(text, "topo.txt"); }
std::string refused(const std::string& text) {
  return refusal([&] { return read(text); });
}

TEST(TopoMatrix, OfADgx1HasEscapesAndNicsByName) {
  const TopoMatrix matrix = read(sample("dgx-1v"));
  EXPECT_EQ(matrix.gpus, 8);
  EXPECT_THAT(matrix.nics, ElementsAre("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"));
  EXPECT_EQ(matrix.nvlinks(), cube_mesh_links());
  EXPECT_EQ(matrix.between(0, 5).word, TopoWord::sys);
  EXPECT_EQ(matrix.between(1, 8).word, TopoWord::pix);
  EXPECT_EQ(matrix.cpu_affinity[4], "20-39,60-79");
  EXPECT_EQ(matrix.numa[4], -1) << "not printed by that version";
}

TEST(TopoMatrix, OfADgxA100NamesItsNicsInALegend) {
  const TopoMatrix matrix = read(sample("dgx-a100"));
  EXPECT_EQ(matrix.between(2, 6), (TopoCell{TopoWord::nvlink, 12}));
  EXPECT_EQ(matrix.between(3, 8 + 2).word, TopoWord::pxb);
  EXPECT_EQ(matrix.nics[7], "mlx5_7");
  EXPECT_THAT(matrix.numa, ElementsAre(3, 3, 1, 1, 7, 7, 5, 5));
}

TEST(TopoMatrix, MayHaveSpacesForTabsAndOtherEscapes) {
  const std::string text = sample("4x-a100-mesh");
  EXPECT_EQ(read(text).between(0, 3).links, 4);
  EXPECT_EQ(read("^[[4m" + text.substr(0, text.find('\n')) + "^[[0m" + text.substr(text.find('\n'))).gpus, 4);
  EXPECT_EQ(read("[4mGPU0 CPU Affinity[0m\r\nGPU0 X 0-7 N/A\r\n").gpus, 1);
}

TEST(TopoMatrix, ThatIsNoneOrCutOffIsRefusedWithItsLine) {
  EXPECT_EQ(refused("No devices were found\n"),
            "topo.txt: found no line that begins with GPU0 and names the columns, expected the matrix of "
            "`nvidia-smi topo -m`; paste the whole output of `nvidia-smi topo -m`");
  EXPECT_THAT(
      refused("GPU0 GPU1\nGPU0 X NV4\n"),
      StartsWith("topo.txt: line 3: found the end of the matrix after 1 rows, expected 2 rows, the next "
                 "called GPU1;"));
  EXPECT_THAT(refused("GPU0 GPU1\nGPU0 X\nGPU1 NV4 X\n"),
              StartsWith("topo.txt: line 2: found 1 entries, expected 2, one a column;"));
  EXPECT_THAT(refused("GPU0 GPU1\nGPU0 X NV4\nGPU2 NV4 X\n"),
              StartsWith("topo.txt: line 3: found \"GPU2\", expected the row of GPU1;"));
  EXPECT_THAT(
      refused("GPU0 GPU1\nGPU0 X NVX\nGPU1 NV4 X\n"),
      StartsWith("topo.txt: line 2: found \"NVX\" below GPU1, expected NV#, PIX, PXB, PHB, NODE or SYS;"));
  EXPECT_THAT(refused("GPU0 GPU1\nGPU0 SYS SYS\nGPU1 NV4 X\n"),
              StartsWith("topo.txt: line 2: found \"SYS\" below GPU0, expected X on the diagonal;"));
  EXPECT_THAT(
      refused("GPU0 GPU1\nGPU0 X NV2\nGPU1 NV4 X\n"),
      StartsWith("topo.txt: line 3: found GPU1 to GPU0 unlike GPU0 to GPU1, expected the same both ways;"));
  EXPECT_THAT(refused("GPU0 GPU2\n"), StartsWith("topo.txt: line 1: found GPU2, expected GPU1 or a NIC;"));
}

class TopoClusters : public ::testing::Test {
 protected:
  [[nodiscard]] Cluster cluster(const std::string& text, const std::string& device) const {
    return cluster_from_matrix(read(text), catalog_.device(device), {"topo.txt", "box", "", {}});
  }
  [[nodiscard]] std::string refused_cluster(const std::string& text, const std::string& device) const {
    return refusal([&] { return cluster(text, device); });
  }
  HardwareCatalog catalog_ = HardwareCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios");
};

// A machine's matrix leads to the same rates as the catalog's description of it.
TEST_F(TopoClusters, OfKnownBoxesAreThoseOfTheCatalog) {
  const auto expect_same = [&](const std::string& text, const std::string& name) {
    const Cluster& known = catalog_.cluster(name);
    const Device& device = catalog_.device(known.device);
    const Cluster found = cluster(sample(text), known.device);
    EXPECT_EQ(found.interconnect.kind, known.interconnect.kind) << text;
    EXPECT_EQ(found.host.devices_per_switch, known.host.devices_per_switch) << text;
    EXPECT_EQ(group_link(found, device, found.devices_per_node).raw,
              group_link(known, device, known.devices_per_node).raw)
        << text;
  };
  expect_same("dgx-1v", "dgx-1v");
  expect_same("dgx-a100", "dgx-a100-80");
  expect_same("4x-a100-mesh", "perlmutter");
}

// Of four A100 in a mesh of NV4, two share 4 links, three 8, four all 12, of 25 GB/s.
TEST_F(TopoClusters, OfAMeshKnowWhatPartsOfItHave) {
  const Cluster mesh = cluster(sample("4x-a100-mesh"), "a100-sxm4-40gb");
  const Device& device = catalog_.device("a100-sxm4-40gb");
  EXPECT_DOUBLE_EQ(group_link(mesh, device, 2).raw.value(), 100e9);
  EXPECT_DOUBLE_EQ(group_link(mesh, device, 3).raw.value(), 200e9);
  EXPECT_DOUBLE_EQ(group_link(mesh, device, 4).raw.value(), 300e9);
}

TEST_F(TopoClusters, OfPcieCardsHaveRootComplexesAndSockets) {
  const Cluster cards = cluster(sample("4x-pcie"), "a100-pcie-80gb");
  EXPECT_EQ(cards.interconnect.kind, InterconnectKind::pcie);
  EXPECT_EQ(cards.interconnect.devices_per_root, 2);
  EXPECT_EQ(cards.host.sockets, 2);
  EXPECT_EQ(cards.host.devices_per_switch, 2);
  EXPECT_DOUBLE_EQ(group_link(cards, catalog_.device("a100-pcie-80gb"), 4).cap.value(), 21e9);
}

TEST_F(TopoClusters, OfPairsAreBridges) {
  const Cluster pairs = cluster(sample("bridged-pairs"), "rtx-a6000");
  EXPECT_EQ(pairs.interconnect.kind, InterconnectKind::nvlink_bridge);
  EXPECT_DOUBLE_EQ(group_link(pairs, catalog_.device("rtx-a6000"), 2).raw.value(), 56.25e9);
  const std::string crossed =
      "GPU0 GPU1 GPU2 GPU3\nGPU0 X SYS NV4 SYS\nGPU1 SYS X SYS NV4\n"
      "GPU2 NV4 SYS X SYS\nGPU3 SYS NV4 SYS X\n";
  EXPECT_EQ(
      refused_cluster(crossed, "rtx-a6000"),
      "topo.txt: found NVLink that joins some of the devices only, expected all of them joined, or "
      "neighbours in pairs; order the devices with CUDA_VISIBLE_DEVICES, or describe the cluster by hand");
}

TEST_F(TopoClusters, OfDevicesThatCannotHaveTheLinksAreRefused) {
  EXPECT_EQ(
      refused_cluster(sample("bridged-pairs"), "rtx-4090"),
      "topo.txt: found NVLink between devices of the kind rtx-4090, expected a device with NVLink; name "
      "the right one with --device");
  EXPECT_EQ(
      refused_cluster(sample("4x-a100-mesh"), "v100-sxm2-16gb"),
      "topo.txt: found 12 NVLink links at a device, expected at most 6, as v100-sxm2-16gb has; name the "
      "right device with --device");
  EXPECT_THAT(refused_cluster("GPU0 GPU1 GPU2\nGPU0 X PHB SYS\nGPU1 PHB X SYS\nGPU2 SYS SYS X\n", "t4"),
              StartsWith("topo.txt: found root complexes with different numbers of devices"));
}

TEST_F(TopoClusters, NeedNicsForANetwork) {
  const TopoMatrix matrix = read(sample("dgx-a100"));
  const Cluster joined = cluster_from_matrix(matrix, catalog_.device("a100-sxm4-80gb"),
                                             {"topo.txt", "box", "roce", gigabytes_per_second(25)});
  ASSERT_TRUE(joined.network);
  EXPECT_EQ(joined.network->nics, 8);
  EXPECT_EQ(
      refusal([&] {
        return cluster_from_matrix(read(sample("bridged-pairs")), catalog_.device("rtx-a6000"),
                                   {"topo.txt", "box", "roce", gigabytes_per_second(25)});
      }),
      "topo.txt: found no NICs in the matrix, expected the NICs of the network; leave out --fabric for a "
      "single node");
}

// A written file is read back into a cluster that is written the same.
TEST_F(TopoClusters, AreWrittenAsFilesThatAreReadBack) {
  const auto expect_round_trip = [&](const Cluster& written) {
    const std::string text = cluster_json(written, catalog_.device(written.device));
    const Cluster again = read_cluster(JsonValue::parse_text(text, "written.json"));
    EXPECT_EQ(cluster_json(again, catalog_.device(again.device)), text);
    EXPECT_EQ(again.interconnect.rate, written.interconnect.rate) << written.name;
  };
  for (const std::string& name : catalog_.cluster_names()) expect_round_trip(catalog_.cluster(name));
  expect_round_trip(cluster(sample("4x-a100-mesh"), "a100-sxm4-40gb"));
  Cluster shaped = catalog_.cluster("dgx-h100");
  for (const FabricShape& shape :
       {FabricShape(LeafSpine{16, 2}), FabricShape(RailOptimized{32, 1.5}), FabricShape(FatTree{8, 4, 1, 2}),
        FabricShape(Dragonfly{9, 16, 16, 4, gigabytes_per_second(25)})}) {
    shaped.network->shape = shape;
    expect_round_trip(shaped);
  }
}

}  // namespace
}  // namespace paceline
