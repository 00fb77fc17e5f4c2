// A small catalog in a folder, broken in one place at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/hardware/hardware_catalog.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using test::refusal;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HardwareFiles : public test::TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    const std::filesystem::path source = std::string(PACELINE_SOURCE_DIR) + "/scenarios";
    for (const char* file :
         {"architectures/volta.json", "links/nvlink-volta.json", "links/nvlink-hopper.json",
          "links/nvlink-blackwell.json", "links/pcie.json", "links/pcie-volta.json",
          "fabrics/infiniband.json", "collectives/nccl.json", "collectives/dispatch.json"}) {
      std::filesystem::create_directories((folder_ / file).parent_path());
      std::filesystem::copy_file(source / file, folder_ / file);
    }
    write("devices/a.json", device());
    write("clusters/a.json", cluster());
  }

  static std::string device(const std::string& name = "gpu", const std::string& more = "",
                            const std::string& bandwidth = "\"900GB/s\"") {
    return R"({"format": "paceline/device-1", "name": ")" + name +
           R"(", "title": "T", "vendor": "V", "architecture": "volta",
               "memory": {"value": "16GiB", "source": "S"},
               "memory_bandwidth": {"value": )" +
           bandwidth + R"(, "source": "S"}, "peak": {"fp32": {"value": "15TFLOP/s", "source": "S"}})" + more +
           "}";
  }
  static std::string cluster(const std::string& name = "box", const std::string& more = "") {
    return R"({"format": "paceline/cluster-1", "name": ")" + name +
           R"(", "title": "T", "source": "S", "device": "gpu", "devices_per_node": 2,
               "interconnect": {"kind": "pcie", "rate": "15.75GB/s"})" +
           more + "}";
  }
  [[nodiscard]] std::string load() const {
    return refusal([&] { return HardwareCatalog::load(folder_.string()); });
  }
};

TEST_F(HardwareFiles, TheSmallCatalogLoads) {
  EXPECT_EQ(load(), "accepted");
  const HardwareCatalog catalog = HardwareCatalog::load(folder_.string());
  EXPECT_EQ(catalog.device("gpu").memory, gibibytes(16));
  EXPECT_EQ(catalog.cluster("box").max_nodes, 1);
}

TEST_F(HardwareFiles, AnUnknownFieldNamesTheNearest) {
  write("devices/a.json", device("gpu", R"(, "memory_bandwith": 1)"));
  EXPECT_THAT(load(), StartsWith(path("devices/a.json") +
                                 ": /: found an unknown field \"memory_bandwith\", expected one of "));
  EXPECT_THAT(load(), EndsWith("; did you mean \"memory_bandwidth\"?"));
}

TEST_F(HardwareFiles, AFieldThatIsMissingIsNamed) {
  write("clusters/a.json", R"({"format": "paceline/cluster-1", "name": "box"})");
  EXPECT_EQ(load(), path("clusters/a.json") + ": /: found no field \"title\", expected it; add the field");
}

TEST_F(HardwareFiles, AnotherKindOfFileIsRefused) {
  write("devices/a.json", cluster());
  EXPECT_EQ(load(), path("devices/a.json") +
                        ": /format: found \"paceline/cluster-1\", expected \"paceline/device-1\"");
}

TEST_F(HardwareFiles, ANameMayStandOnce) {
  write("devices/b.json", device());
  EXPECT_EQ(load(), "device: found \"gpu\" twice, expected one file a name; rename one of them");
}

TEST_F(HardwareFiles, AnAliasHasOneOwner) {
  write("devices/a.json", device("gpu", R"(, "aliases": ["g"])"));
  write("devices/b.json", device("other", R"(, "aliases": ["g"])"));
  EXPECT_EQ(load(),
            "device: found alias \"g\" of \"gpu\" and \"other\", expected one owner an alias; "
            "remove one of them");
}

// An alias is looked up before the names: it would hide the device that bears it.
TEST_F(HardwareFiles, AnAliasMayNotBeTheNameOfAnother) {
  write("devices/b.json", device("other", R"(, "aliases": ["gpu"])"));
  EXPECT_EQ(load(), "device: found alias \"gpu\" of \"other\", expected no alias that is a name; remove it");
}

TEST_F(HardwareFiles, SeveralNodesNeedANetwork) {
  write("clusters/a.json", cluster("box", R"(, "max_nodes": 4)"));
  EXPECT_EQ(load(),
            path("clusters/a.json") + ": /max_nodes: found 4, expected 1, as the cluster has no \"network\"");
}

TEST_F(HardwareFiles, AClusterOfUnknownDevicesIsRefused) {
  write("devices/a.json", device("gpus"));
  EXPECT_EQ(load(), "device: found \"gpu\", expected a device of the catalog; did you mean \"gpus\"?");
}

TEST_F(HardwareFiles, ANetworkOfUnknownFabricIsRefused) {
  write("clusters/a.json",
        cluster("box", R"(, "network": {"fabric": "infinband", "nics": 1, "rate": "100Gb/s"})"));
  EXPECT_EQ(load(),
            "fabric: found \"infinband\", expected a fabric of the catalog; did you mean \"infiniband\"?");
}

TEST_F(HardwareFiles, AnArchitectureOfUnknownLinksIsRefused) {
  std::filesystem::remove(path("links/nvlink-volta.json"));
  EXPECT_THAT(load(), HasSubstr("found \"nvlink-volta\", expected a link of the catalog"));
}

TEST_F(HardwareFiles, ARateOfZeroIsRefused) {
  write("clusters/a.json", R"({"format": "paceline/cluster-1", "name": "box", "title": "T", "source": "S",
                               "device": "gpu", "devices_per_node": 2,
                               "interconnect": {"kind": "pcie", "rate": 0}})");
  EXPECT_EQ(load(), path("clusters/a.json") + ": /interconnect/rate: found 0, expected a rate above 0");
  write("clusters/a.json", cluster());
  write("devices/a.json", device("gpu", "", "0"));
  EXPECT_EQ(load(), path("devices/a.json") + ": /memory_bandwidth/value: found 0, expected a rate above 0");
}

TEST_F(HardwareFiles, AUnitOfAnotherKindIsRefused) {
  write("devices/a.json", device("gpu", "", "\"900GB\""));
  EXPECT_THAT(load(),
              StartsWith(path("devices/a.json") + ": /memory_bandwidth/value: found \"900GB\", expected "));
}

TEST_F(HardwareFiles, AFolderThatIsMissingIsNamed) {
  std::filesystem::remove_all(folder_ / "fabrics");
  EXPECT_EQ(load(), path("fabrics") +
                        ": found No such file or directory, expected a folder that can be read; "
                        "point --data or PACELINE_DATA to the project's scenarios folder");
}

}  // namespace
}  // namespace paceline
