// Which machine a log was made on.
#include "sim/study/diagnosis/machine.h"

#include <gmock/gmock.h>

#include <sstream>

#include "sim/study/catalog.h"
#include "tests/base/message_of.h"
#include "tests/sim/study/nccl_tests/sample_log.h"

namespace paceline {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const HardwareCatalog& catalog() {
  static const HardwareCatalog loaded = HardwareCatalog::load(find_data_folder(""));
  return loaded;
}

SampleLog of(const std::string& gpu, int hosts, int per_host, std::vector<std::string> debug = {}) {
  SampleLog sample;
  sample.gpu = gpu;
  sample.hosts = hosts;
  sample.per_host = per_host;
  sample.debug = std::move(debug);
  sample.points = {{1 << 20, 100}};
  return sample;
}

std::vector<std::string> nics(int count, const std::string& kind, const std::string& speed = "") {
  std::vector<std::string> lines;
  for (int nic = 0; nic < count; ++nic)
    lines.push_back("a:1:2 [0] NCCL INFO NET/IB: [" + std::to_string(nic) + "] mlx5_" + std::to_string(nic) +
                    ":uverbs:1/" + kind + speed);
  return lines;
}

Machine machine_of(const SampleLog& sample, const MachineHints& hints = {}) {
  std::istringstream stream(sample_text(sample));
  const NcclTestsLog log = read_nccl_tests(stream, "a.log");
  return find_machine(catalog(), log, log.tables.at(0), hints);
}
std::string refusal_of(const SampleLog& sample) {
  return message_of([&] { (void)machine_of(sample); });
}

TEST(DeviceNamed, KnowsWhatDriversCallTheirDevices) {
  EXPECT_EQ(device_named(catalog(), "NVIDIA A100-SXM4-80GB"), "a100-sxm4-80gb");
  EXPECT_EQ(device_named(catalog(), "NVIDIA H100 80GB HBM3"), "h100-sxm5-80gb");
  EXPECT_EQ(device_named(catalog(), "NVIDIA H100 PCIe"), "h100-pcie-80gb");
  EXPECT_EQ(device_named(catalog(), "NVIDIA A100 80GB PCIe"), "a100-pcie-80gb");
  EXPECT_EQ(device_named(catalog(), "Tesla V100-SXM2-16GB"), "v100-sxm2-16gb");
  EXPECT_EQ(device_named(catalog(), "GeForce RTX 2080 Ti"), "rtx-2080-ti");
  EXPECT_EQ(device_named(catalog(), "AMD Instinct MI300X"), "mi300x");
  EXPECT_EQ(device_named(catalog(), "NVIDIA Q900"), "");
  EXPECT_EQ(device_named(catalog(), ""), "");
}

TEST(FindMachine, TakesTheFirstOfMachinesThatAreTheSameInsideANode) {
  const Machine machine = machine_of(of("NVIDIA H100 80GB HBM3", 1, 8));
  EXPECT_EQ(machine.cluster.device, "h100-sxm5-80gb");
  EXPECT_EQ(machine.cluster.devices_per_node, 8);
  EXPECT_THAT(machine.notes, ElementsAre(HasSubstr("dgx-h100")));
}

TEST(FindMachine, TellsNetworksApartByTheLogsLines) {
  EXPECT_EQ(machine_of(of("NVIDIA H100 80GB HBM3", 2, 8, nics(8, "IB"))).cluster.name, "dgx-h100");
  EXPECT_EQ(machine_of(of("NVIDIA H100 80GB HBM3", 2, 8, nics(8, "RoCE", " speed=400000 x=1"))).cluster.name,
            "8x-h100-roce-8x400");
  EXPECT_EQ(machine_of(of("NVIDIA H100 80GB HBM3", 2, 8,
                          {"a:1:2 [0] NCCL INFO NET/OFI Selected Provider is efa (found 32 nics)"}))
                .cluster.name,
            "p5.48xlarge");
  // Three clusters have these GPUs and InfiniBand; only one has four NICs of 100 Gb/s.
  EXPECT_EQ(machine_of(of("NVIDIA A100-SXM4-80GB", 2, 8, nics(4, "IB", " speed=100000 x=1"))).cluster.name,
            "jean-zay-a100");
}

TEST(FindMachine, TakesARackForANodeOfItsTrays) {
  const Machine machine = machine_of(of("NVIDIA GB200", 18, 4));
  EXPECT_EQ(machine.cluster.name, "gb200-nvl72");
  EXPECT_EQ(nvlink_domain(machine.cluster), 72);
}

TEST(FindMachine, NamesTheCandidatesWhenSeveralFit) {
  const std::string message = refusal_of(of("NVIDIA H100 80GB HBM3", 2, 8));
  EXPECT_THAT(message, HasSubstr("a.log: found 2 hosts of 8x NVIDIA H100 80GB HBM3, expected one cluster "
                                 "that fits: 8x-h100-100gbe"));
  EXPECT_THAT(message, HasSubstr("dgx-h100"));
  EXPECT_THAT(message, HasSubstr("--cluster"));
  EXPECT_EQ(
      machine_of(of("NVIDIA H100 80GB HBM3", 2, 8), {.cluster = "dgx-h100", .collective = "", .hosts = {}})
          .cluster.name,
      "dgx-h100");
}

TEST(FindMachine, RefusesWithWhatIsMissing) {
  EXPECT_THAT(refusal_of(of("NVIDIA Q900", 1, 8)),
              HasSubstr("GPU \"NVIDIA Q900\", expected a device of the catalog"));
  SampleLog sample = of("NVIDIA A100-SXM4-80GB", 1, 8);
  sample.devices = false;
  EXPECT_THAT(refusal_of(sample), HasSubstr("without the list of devices"));
  EXPECT_THAT(refusal_of(of("NVIDIA RTX A6000", 2, 8)), HasSubstr("expected a cluster of the catalog"));
}

}  // namespace
}  // namespace paceline
