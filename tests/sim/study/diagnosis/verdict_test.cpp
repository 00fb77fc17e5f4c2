// Normal, suspicious, slow, impossible.
#include <gmock/gmock.h>

#include "tests/base/message_of.h"
#include "tests/sim/study/diagnosis/machine_logs.h"

namespace paceline {
namespace {
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

std::vector<MachineRun> machines() {
  std::vector<MachineRun> runs;
  for (const CollectiveKind kind :
       {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::all_to_all})
    for (const auto& [cluster, hosts, per_host] : {std::tuple{"dgx-a100-80", 1, 8},
                                                   {"dgx-h100", 1, 8},
                                                   {"dgx-h100", 4, 8},
                                                   {"a3-ultra", 2, 8},
                                                   {"p5.48xlarge", 4, 8},
                                                   {"8x-l40s", 1, 4},
                                                   {"dgx-1v", 1, 8}}) {
      MachineRun run;
      run.cluster = cluster;
      run.hosts = hosts;
      run.per_host = per_host;
      run.kind = kind;
      runs.push_back(run);
    }
  return runs;
}

TEST(Verdict, OfAMachineThatDoesAsPredictedIsNormal) {
  for (const MachineRun& run : machines()) {
    const TableDiagnosis result = diagnosis_of(run);
    EXPECT_EQ(result.verdict, Verdict::normal) << result.name << result.reason;
    EXPECT_NEAR(result.median_ratio, 1, 0.01) << result.name;
    EXPECT_TRUE(result.causes.empty());
    EXPECT_FALSE(result.departs);
  }
}

TEST(Verdict, OfAllTimesTwiceAsLongIsNeverNormalAndSlowWhereTheClassIsWellKnown) {
  for (MachineRun run : machines()) {
    run.slower = [](Bytes) { return 2.0; };
    const TableDiagnosis result = diagnosis_of(run);
    EXPECT_NEAR(result.median_ratio, 2, 0.02);
    // Fabrics other than InfiniBand and RoCE have been missed by up to 2.3.
    EXPECT_EQ(result.verdict, run.cluster == "p5.48xlarge" ? Verdict::suspicious : Verdict::slow)
        << result.name << result.reason;
    EXPECT_EQ(result.departs, kibibytes(64)) << result.name;
    EXPECT_FALSE(result.causes.empty());
  }
}

// The levels of scenarios/diagnosis.json: 1.15 and 1.5 for NVSwitch.
TEST(Verdict, ChangesAtTheLevelsOfTheData) {
  MachineRun run;
  for (const auto& [factor, verdict] : {std::pair{1.13, Verdict::normal},
                                        {1.17, Verdict::suspicious},
                                        {1.48, Verdict::suspicious},
                                        {1.52, Verdict::slow},
                                        {0.95, Verdict::normal}}) {
    run.slower = [f = factor](Bytes) { return f; };
    EXPECT_EQ(diagnosis_of(run).verdict, verdict) << factor;
  }
}

TEST(Verdict, IsNotDecidedBySmallSizes) {
  MachineRun run;
  run.slower = [](Bytes bytes) { return bytes < kibibytes(64) ? 5.0 : 1.0; };
  const TableDiagnosis result = diagnosis_of(run);
  EXPECT_EQ(result.verdict, Verdict::normal);
  EXPECT_THAT(result.notes, Contains(HasSubstr("take 5.0 x the expected time, which decides nothing")));
}

TEST(Verdict, IsSlowWhenTwoSizesInTheMiddleAre) {
  MachineRun run;
  // 256 KiB and 1 MiB; a single one is not enough.
  run.slower = [](Bytes bytes) { return bytes >= kibibytes(256) && bytes <= mebibytes(1) ? 3.0 : 1.0; };
  const TableDiagnosis result = diagnosis_of(run);
  EXPECT_EQ(result.verdict, Verdict::slow);
  EXPECT_EQ(result.departs, kibibytes(256));
  run.slower = [](Bytes bytes) { return bytes == kibibytes(256) ? 3.0 : 1.0; };
  EXPECT_EQ(diagnosis_of(run).verdict, Verdict::normal);
}

TEST(Verdict, IsDecidedByTheThreeLargestWhereNoneIsLarge) {
  MachineRun run;
  run.last = 4 * mib;
  EXPECT_EQ(diagnosis_of(run).verdict, Verdict::normal);
  // The interval of the middle range reaches 1.65, so 1.6 x is not yet slow.
  run.slower = [](Bytes) { return 1.6; };
  EXPECT_EQ(diagnosis_of(run).verdict, Verdict::suspicious);
  run.slower = [](Bytes) { return 1.8; };
  EXPECT_EQ(diagnosis_of(run).verdict, Verdict::slow);
}

TEST(Verdict, IsRefusedForLatencyBoundSizesAlone) {
  MachineRun run;
  run.last = 16 * kib;
  EXPECT_THAT(
      message_of([&] { (void)diagnosis_of(run); }),
      HasSubstr(
          "only sizes below 64 KiB, whose time is latency, launch and library version: measure up to 1 GiB"));
}

TEST(Verdict, IgnoresRowsWhoseColumnsDisagree) {
  MachineRun run;
  SampleLog sample = log_of(run);
  sample.points.back().in_place = sample.points.back().micro;
  sample.points.back().micro *= 3;  // 1 GiB, out-of-place alone
  const TableDiagnosis result = diagnosis_of(sample, run.cluster);
  EXPECT_EQ(result.verdict, Verdict::normal);
  EXPECT_FALSE(result.rows.back().decides);
}

// Eight A100: a ring puts 2 x 7/8 S on each link of 300 GB/s, so 1 GiB takes 6263 us at least.
TEST(Verdict, NamesTimesThatTheLinksDoNotAllow) {
  SampleLog sample;
  sample.points = {{gib, 6000}};
  EXPECT_EQ(diagnosis_of(sample, "dgx-a100-80").verdict, Verdict::faster_than_links);
  sample.points = {{gib, 6400}};
  EXPECT_EQ(diagnosis_of(sample, "dgx-a100-80").verdict, Verdict::normal);
}

// Two nodes with one NIC of 12.5 GB/s each: the ring formula would ask for 1.875 S / 12.5 GB/s = 150 ms for 1
// GB, a tree for S / 12.5 GB/s = 80 ms only. Measured: 134 ms, 125 Gb/s of bus bandwidth on a wire of 100.
TEST(Verdict, AllowsATreeOverTwoNodesToExceedTheWire) {
  SampleLog sample;
  sample.hosts = 2;
  sample.points = {{1e9, 134e3}};
  const TableDiagnosis result = diagnosis_of(sample, "p3dn.24xlarge");
  EXPECT_NEAR(result.rows.at(0).busbw.value(), 13.99e9, 0.01e9);
  EXPECT_NEAR(result.rows[0].least.value(), 80e-3, 1e-6);
  EXPECT_NE(result.verdict, Verdict::faster_than_links);
  // Of 1 GiB: 1.875 x 1.0737 GB = 2.013 GB by a ring, 1.074 GB by a tree.
  EXPECT_THAT(
      result.notes,
      Contains(HasSubstr("a ring puts 2.013 GB on each of a node's 1 NICs, a tree over two nodes 1.074 GB")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("above the wire is no fault")));
}

// NVIDIA/nccl issue 527: 1 GiB on one to four p4d nodes.
TEST(Verdict, FlagsThreeAndFourNodesOfP4dOnly) {
  const std::pair<int, double> measured[] = {{1, 8142.6}, {2, 35215}, {3, 64782}, {4, 70253}};
  for (const auto& [hosts, micro] : measured) {
    SampleLog sample;
    sample.hosts = hosts;
    sample.points = {{gib, micro}};
    std::istringstream text(sample_text(sample));
    NcclTestsLog log = read_nccl_tests(text, "a.log");
    log.debug.version.clear();  // the report does not say it
    DiagnosisOptions options;
    options.hints.cluster = "p4d.24xlarge";
    const Verdict verdict = diagnose(test_hardware(), test_rules(), log, options).tables.at(0).verdict;
    EXPECT_EQ(verdict, hosts < 3 ? Verdict::normal : Verdict::suspicious) << hosts;
  }
}

// stas00/ml-engineering at 744d01e: p6-b200, one node and four.
TEST(Verdict, OfB200NodesIsNormal) {
  const double sizes[] = {16 * mib, 256 * mib, 4 * gib, 16 * gib};
  const double one[] = {254.96, 646.11, 740.64, 845.67}, four[] = {64.43, 229.09, 377.34, 381.8};
  for (const int hosts : {1, 4}) {
    SampleLog sample;
    sample.hosts = hosts;
    const double factor = 2.0 * (8 * hosts - 1) / (8 * hosts);
    for (int index = 0; index < 4; ++index)
      sample.points.push_back(
          {sizes[index], sizes[index] * factor / (hosts == 1 ? one[index] : four[index]) * 1e-3});
    const TableDiagnosis result = diagnosis_of(sample, "p6-b200.48xlarge");
    EXPECT_EQ(result.verdict, Verdict::normal) << hosts << result.reason;
    if (hosts == 4) {
      EXPECT_GT(result.rows.at(2).expected_busbw.value(), 330e9);
      EXPECT_LT(result.rows.at(2).expected_busbw.value(), 420e9);
    }
  }
}

TEST(Verdict, TakesTheLaunchStyleFromTheHeader) {
  MachineRun run;
  run.settings.style = LaunchStyle::one_process;
  SampleLog sample = log_of(run);
  EXPECT_THAT(diagnosis_of(sample, run.cluster).notes, Not(testing::IsEmpty()));
  sample.gpus_per_process = 8;
  // 8 x 4.7 us of launching bound the small sizes, as predicted.
  const TableDiagnosis result = diagnosis_of(sample, run.cluster);
  EXPECT_NEAR(result.rows.at(0).ratio, 1, 0.01);
  EXPECT_THAT(result.notes, testing::IsEmpty());
}

}  // namespace
}  // namespace paceline
