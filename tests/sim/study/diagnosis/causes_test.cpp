// Each fault, made in a log, is found first.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "sim/study/diagnosis/diagnosis_report.h"
#include "tests/sim/study/diagnosis/machine_logs.h"

namespace paceline {
namespace {
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr double mib = 1024.0 * 1024.0;

MachineRun nodes(const std::string& cluster, int hosts) {
  MachineRun run;
  run.cluster = cluster;
  run.hosts = hosts;
  return run;
}

std::string line(const std::string& text) { return "node001:1:2 [0] NCCL INFO " + text; }

auto titled(const std::string& part) { return Contains(Field(&Cause::title, HasSubstr(part))); }

// 5 GB/s of the node's 400: V / 5 GB/s, V = 2 x 31/32 S.
TEST(Causes, SocketsInPlaceOfRdma) {
  SampleLog sample;
  sample.hosts = 4;
  for (double bytes = mib; bytes <= 1024 * mib; bytes *= 4)
    sample.points.push_back({bytes, 1.9375 * bytes / 5000});
  TableDiagnosis result = diagnosis_of(sample, "dgx-h100");
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_THAT(result.causes, titled("TCP sockets"));
  for (const std::string& said :
       {line("NCCL_IB_DISABLE set by environment to 1."), line("Using network Socket"),
        line("Channel 00/0 : 7[7] -> 8[0] [send] via NET/Socket/0")}) {
    sample.debug = {said};
    result = diagnosis_of(sample, "dgx-h100");
    EXPECT_THAT(first_cause(result), HasSubstr("TCP sockets")) << said;
    EXPECT_THAT(result.causes[0].command, HasSubstr("unset NCCL_IB_DISABLE"));
  }
}

// NVIDIA/nccl-tests issues 149 and 228: 230 GB/s is healthy, some 20 GB/s were shared memory.
TEST(Causes, PeerAccessOff) {
  SampleLog sample;
  for (double bytes = mib; bytes <= 8192 * mib; bytes *= 8)
    sample.points.push_back({bytes, 60 + 1.75 * bytes / 22000});
  const TableDiagnosis result = diagnosis_of(sample, "dgx-a100-80");
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_THAT(first_cause(result), HasSubstr("do not reach each other's memory"));
  EXPECT_THAT(result.causes[0].command, testing::StartsWith("unset NCCL_P2P_DISABLE NCCL_P2P_LEVEL"));
  EXPECT_NEAR(result.rows.back().expected_busbw.value(), 230e9, 0.05 * 230e9);
  sample.debug = {line("NCCL_P2P_LEVEL set by environment to LOC")};
  EXPECT_THAT(diagnosis_of(sample, "dgx-a100-80").causes[0].evidence, HasSubstr("NCCL_P2P_LEVEL=LOC"));
}

TEST(Causes, PeerAccessOffOverPcie) {
  MachineRun run = nodes("8x-l40s", 1);
  run.per_host = 4;
  run.settings.peer_to_peer = false;
  SampleLog sample = log_of(run);
  sample.debug = {line("Channel 00 : 0[0] -> 1[1] via SHM/direct/direct")};
  const TableDiagnosis result = diagnosis_of(sample, run.cluster);
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_THAT(result.causes[0].evidence, HasSubstr("1 channels go via SHM and none via P2P"));
}

TEST(Causes, NicsThatAreNotUsed) {
  for (const int left : {1, 2, 4}) {
    MachineRun run = nodes("dgx-h100", 4);
    run.fault = [left](Cluster& cluster) { cluster.network->nics = left; };
    const TableDiagnosis result = diagnosis_of(run);
    EXPECT_EQ(result.verdict, Verdict::slow) << left;
    EXPECT_THAT(result.causes,
                Contains(AllOf(Field(&Cause::title, HasSubstr("NICs that are not used")),
                               Field(&Cause::evidence, HasSubstr(std::to_string(left) + " of 8 NICs")))))
        << left;
  }
  MachineRun run = nodes("dgx-h100", 4);
  run.fault = [](Cluster& cluster) { cluster.network->nics = 1; };
  SampleLog sample = log_of(run);
  sample.debug = {line("NCCL_IB_HCA set by environment to mlx5_0"),
                  line("NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>")};
  EXPECT_THAT(first_cause(diagnosis_of(sample, "dgx-h100")), HasSubstr("NICs"));
}

TEST(Causes, NoGpuDirect) {
  MachineRun run = nodes("p5.48xlarge", 4);
  run.fault = [](Cluster& cluster) { cluster.network->fabric = "efa-staged"; };
  SampleLog sample = log_of(run);
  EXPECT_THAT(diagnosis_of(sample, run.cluster).causes, titled("no GPUDirect"));
  sample.debug = {line("NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'")};
  EXPECT_THAT(first_cause(diagnosis_of(sample, run.cluster)), HasSubstr("no GPUDirect"));
}

TEST(Causes, PcieOfAnOlderGeneration) {
  MachineRun run = nodes("8x-l40s", 1);
  run.per_host = 2;
  run.fault = [](Cluster& cluster) { cluster.interconnect.rate = cluster.interconnect.rate / 2; };
  const TableDiagnosis result = diagnosis_of(run);
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_THAT(result.causes, Contains(AllOf(Field(&Cause::title, HasSubstr("PCIe of an older generation")),
                                            Field(&Cause::evidence, HasSubstr("1/2 of the expected rate")))));
}

TEST(Causes, OneBadRank) {
  MachineRun run = nodes("dgx-a100-80", 1);
  run.slower = [](Bytes) { return 1.3; };
  const TableDiagnosis result = diagnosis_of(run);
  EXPECT_EQ(result.verdict, Verdict::suspicious);
  EXPECT_THAT(result.causes, titled("one slow GPU or link"));
}

// Over two nodes a ring puts 1.875 S on the NICs, a tree S.
TEST(Causes, ARingWhereATreeShouldBe) {
  MachineRun run = nodes("p4de.24xlarge", 2);
  run.settings.algorithms = {Algorithm::ring};
  const TableDiagnosis result = diagnosis_of(run);
  EXPECT_EQ(result.rows.back().algorithm, "tree");
  EXPECT_EQ(result.verdict, Verdict::suspicious) << result.reason;
  EXPECT_THAT(first_cause(result), HasSubstr("another algorithm"));
  EXPECT_THAT(result.causes[0].evidence, HasSubstr("the time is that of ring Simple"));
}

TEST(Causes, AProtocolThatIsForced) {
  MachineRun run = nodes("dgx-a100-80", 1);
  run.settings.protocols = {Protocol::ll};
  SampleLog sample = log_of(run);
  sample.debug = {line("NCCL_PROTO set by environment to LL.")};
  const TableDiagnosis result = diagnosis_of(sample, run.cluster);
  EXPECT_EQ(result.verdict, Verdict::slow) << result.reason;
  EXPECT_THAT(first_cause(result), HasSubstr("another algorithm"));
  EXPECT_THAT(result.causes[0].evidence, AllOf(HasSubstr("LL"), HasSubstr("NCCL_PROTO=LL")));
}

TEST(Causes, NoNvls) {
  MachineRun run = nodes("dgx-h100", 1);
  run.settings.nvls = false;
  SampleLog sample = log_of(run);
  const TableDiagnosis result = diagnosis_of(sample, run.cluster);
  EXPECT_EQ(result.verdict, Verdict::suspicious) << result.reason;
  EXPECT_THAT(first_cause(result), HasSubstr("no NVLS"));
  sample.debug = {line("NCCL_NVLS_ENABLE set by environment to 0.")};
  EXPECT_THAT(diagnosis_of(sample, run.cluster).causes[0].evidence, HasSubstr("NCCL_NVLS_ENABLE=0"));
}

TEST(Causes, AWrongJobIsNeverNormal) {
  // A 16-rank log whose bandwidths are those of eight ranks, and whose times are as fast as sixteen should
  // be.
  SampleLog sample = log_of(nodes("dgx-h100", 2));
  sample.factor = 1.75;
  const TableDiagnosis result = diagnosis_of(sample, "dgx-h100");
  EXPECT_EQ(result.verdict, Verdict::suspicious);
  EXPECT_THAT(first_cause(result), HasSubstr("not the one that was meant"));
  EXPECT_THAT(result.causes[0].evidence, HasSubstr("2 separate jobs of 8"));
}

// NVIDIA/nccl issue 1453.
TEST(Causes, CongestionBehindTheCliff) {
  SampleLog sample;
  sample.hosts = 3;
  sample.points = {{1 * mib, 1626.5},   {8 * mib, 992.6},     {16 * mib, 1334.9},   {32 * mib, 2180.1},
                   {64 * mib, 24410.0}, {128 * mib, 49264.0}, {512 * mib, 193909.0}};
  const TableDiagnosis result = diagnosis_of(sample, "8x-h100-roce-8x400");
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_THAT(first_cause(result), HasSubstr("congestion"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("the time grows 11.2 x from 32 MiB to 64 MiB")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("outlier at 1 MiB")));
}

TEST(Causes, AreInEveryReport) {
  MachineRun run = nodes("dgx-h100", 1);
  run.settings.nvls = false;
  const Diagnosis diagnosis{"a.log", {diagnosis_of(run)}, {"line 7: a row that was cut off"}};
  EXPECT_FALSE(diagnosis.normal());
  const nlohmann::json json = nlohmann::json::parse(diagnosis_json(diagnosis));
  EXPECT_EQ(json.at("tables").at(0).at("verdict"), "suspicious");
  EXPECT_EQ(json.at("normal"), false);
  EXPECT_EQ(json.at("tables").at(0).at("rows").size(), 11U);  // 1 KiB to 1 GiB, fourfold
  for (const std::string& text : {to_text(diagnosis), to_markdown(diagnosis)})
    EXPECT_THAT(text, AllOf(HasSubstr("suspicious: median time"), HasSubstr("no NVLS"),
                            HasSubstr("NCCL_NVLS_ENABLE")));
  EXPECT_THAT(to_text(diagnosis), HasSubstr("repaired: line 7"));
}

}  // namespace
}  // namespace paceline
