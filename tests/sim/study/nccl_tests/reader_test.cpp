// Reading nccl-tests' output in its many forms.
#include <gmock/gmock.h>

#include <sstream>

#include "base/error.h"
#include "sim/study/nccl_tests/nccl_tests_log.h"
#include "tests/base/message_of.h"
#include "tests/sim/study/nccl_tests/sample_log.h"

namespace paceline {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

NcclTestsLog read(const std::string& text) {
  std::istringstream stream(text);
  return read_nccl_tests(stream, "a.log");
}

SampleLog two_nodes() {
  SampleLog log;
  log.hosts = 2;
  log.points = sample_points(8, 1 << 30, 20, 40000);
  return log;
}

std::string with_prefixes(const std::string& text, const std::string& prefix) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += prefix + line + "\n";
  return out;
}

// The same table, however the log is dressed.
void expect_two_nodes(const NcclTestsLog& log) {
  ASSERT_EQ(log.tables.size(), 1U);
  const NcclTestsTable& table = log.tables[0];
  EXPECT_EQ(table.collective, "all_reduce");
  EXPECT_EQ(table.ranks, 16);
  EXPECT_EQ(table.hosts, 2);
  EXPECT_EQ(table.devices_per_host(), 8);
  EXPECT_THAT(table.device_names(), ElementsAre("NVIDIA A100-SXM4-80GB"));
  ASSERT_EQ(table.rows.size(), 28U);  // 8 B to 1 GiB: 2^3 to 2^30
  EXPECT_EQ(table.rows.back().bytes, gibibytes(1));
  // 20 us + 1073741824 / 40000 = 26863.5 us, printed without decimals.
  EXPECT_NEAR(table.rows.back().time().value(), 26863.5e-6, 0.6e-6);
  EXPECT_THAT(table.warnings, IsEmpty());
}

TEST(NcclTestsReader, ReadsRowsRanksHostsAndNames) {
  const NcclTestsLog log = read(sample_text(two_nodes()));
  expect_two_nodes(log);
  EXPECT_EQ(log.tool_version, "2.17.6");
  EXPECT_EQ(log.debug.version, "2.27.7");
  EXPECT_EQ(log.tables[0].data_type, "float");
  EXPECT_EQ(log.tables[0].reduction, "sum");
  EXPECT_EQ(log.tables[0].gpus_per_process, 1);
  EXPECT_EQ(log.tables[0].printed_average, 41.6692);
  EXPECT_EQ(log.tables[0].out_of_bounds, 0);
  EXPECT_THAT(log.repairs, IsEmpty());
}

TEST(NcclTestsReader, SeesThroughLaunchersTimeStampsAndColours) {
  for (const std::string prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", " 0: ", "node1: ", "[rank0]: ",
                                   "2026-01-31T12:00:00.123Z ", "[2026-01-31 12:00:00] ", "12:00:01 ",
                                   "[1,0]<stdout>:2026-01-31 12:00:00,001 ", "\x1b[32m", "launcher-0:\t"}) {
    SCOPED_TRACE(prefix);
    expect_two_nodes(read(with_prefixes(sample_text(two_nodes()), prefix)));
  }
  expect_two_nodes(read(with_prefixes(sample_text(two_nodes()), "\x1b[0m") + "\r\n"));
}

TEST(NcclTestsReader, ReadsRowsWithoutRootAndWithErrors) {
  // The form of 2019: no root column, errors as fractions.
  const NcclTestsLog log = read(
      "# Using devices\n#   Rank  0 Pid  38236 on  old-box device  0 [0x41] GeForce RTX 2080 Ti\n"
      "#   Rank  1 Pid  38236 on  old-box device  1 [0x42] GeForce RTX 2080 Ti\n"
      "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  "
      "error\n"
      "    33554432       8388608   float     sum   1500.0   22.37   22.37  1e-07   1498.0   22.40   22.40  "
      "N/A\n");
  ASSERT_EQ(log.tables.size(), 1U);
  EXPECT_EQ(log.tables[0].ranks, 2);
  EXPECT_EQ(log.tables[0].rows[0].in_place, microseconds(1498));
  EXPECT_EQ(log.tables[0].rows[0].wrong, 0);
  EXPECT_EQ(log.tables[0].collective, "");  // at two ranks the ratio 1 is that of several collectives
}

TEST(NcclTestsReader, ReadsGatherRowsInPlaceNotApplicableAndUncheckedRows) {
  const std::string rows[] = {
      "  1048576  32768  float  none  -1  50.0  20.97  18.35  0  49.0  21.40  18.72  0",  // newer all_gather
      "  1048576  262144  float  50.0  20.97  18.35  0  49.0  21.40  18.72  0",  // older: no operation
      "  1048576  262144  float  50.0  20.97  18.35  49.0  21.40  18.72",        // no check
      "  1048576  32768  float  none  -1  50.0  20.97  18.35  N/A  N/A  N/A  N/A  N/A",  // alltoall
      "  1048576  262144  float  0  50.0  20.97  18.35  0  49.0  21.40  18.72  0",  // a root, no operation
      "  1048576  262144  float  sum  50.0  20.97  18.35  0"};                      // one group
  for (const std::string& row : rows) {
    SCOPED_TRACE(row);
    const NcclTestsLog log = read(row + "\n");
    ASSERT_EQ(log.tables.at(0).rows.size(), 1U);
    EXPECT_EQ(log.tables[0].rows[0].time(), microseconds(50));
    EXPECT_EQ(log.tables[0].rows[0].busbw, 18.35);
  }
}

TEST(NcclTestsReader, JoinsARowThatADebugLineHasCut) {
  SampleLog sample = two_nodes();
  std::string text = sample_text(sample);
  const std::string row = sample_rows(sample)[20];
  const std::size_t at = text.find(row), cut = row.find("-1") + 2;
  text.replace(at, row.size(),
               row.substr(0, cut) +
                   "node001:1000:1099 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n" +
                   row.substr(cut));
  const NcclTestsLog log = read(text);
  expect_two_nodes(log);
  EXPECT_THAT(log.repairs, ElementsAre(HasSubstr("joined again")));
  EXPECT_EQ(log.debug.paths.at("P2P"), 1U);
}

TEST(NcclTestsReader, KeepsSeveralTablesOfOneFileApart) {
  SampleLog first = two_nodes(), second = two_nodes();
  second.collective = "all_gather";
  second.hosts = 1;
  second.reduction = "none";
  const NcclTestsLog log = read(sample_text(first) + sample_text(second));
  ASSERT_EQ(log.tables.size(), 2U);
  EXPECT_EQ(log.tables[1].collective, "all_gather");
  EXPECT_EQ(log.tables[1].ranks, 8);
  EXPECT_THAT(log.tables[1].warnings, IsEmpty());
  // -d all prints the types one after the other below one header.
  std::string types = sample_header(first);
  for (const std::string type : {"float", "half"}) {
    first.type = type;
    for (const std::string& row : sample_rows(first)) types += row + "\n";
  }
  ASSERT_EQ(read(types).tables.size(), 2U);
  EXPECT_EQ(read(types).tables[1].data_type, "half");
  EXPECT_EQ(read(types).tables[1].ranks, 16);
}

TEST(NcclTestsReader, FindsWhatDebugLinesSay) {
  SampleLog sample = two_nodes();
  sample.debug = {
      "node001:1:9 [0] NCCL INFO NCCL version 2.21.5+cuda12.4",
      "node001:1:9 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.",
      "node001:1:9 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
      "node001:1:9 [0] NCCL INFO NET/IB: [2] mlx5_2:uverbs2:1/IB provider=Mlx5 speed=400000 context=0x1 ar=0",
      "node001:1:9 [0] NCCL INFO Using network Socket",
      "node001:1:9 [0] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/Socket/0",
      "node001:1:9 [0] NCCL INFO Channel 01/0 : 7[7] -> 8[0] [send] via NET/IB/3/GDRDMA",
      "node001:1:9 [0] NCCL INFO Channel 01/0 : 1[1] -> 2[2] via SHM/direct/direct",
      "node001:1:9 [0] NCCL INFO NVLS multicast support is not available on dev 0",
      "node001:1:9 [0] NCCL INFO comm 0x55 rank 0 nranks 16 cudaDev 0 busId 7000 - Init COMPLETE"};
  const NcclDebug debug = read(sample_text(sample)).debug;
  EXPECT_EQ(debug.version, "2.21.5");
  EXPECT_EQ(debug.variables.at("NCCL_IB_DISABLE"), "1");
  EXPECT_EQ(debug.network, "Socket");
  ASSERT_EQ(debug.nics.size(), 3U);
  EXPECT_EQ(debug.nics[1].kind, "RoCE");
  EXPECT_EQ(debug.nics[2].rate, gigabytes_per_second(50));  // 400,000 Mb/s
  EXPECT_EQ(debug.paths.at("NET/Socket"), 1U);
  EXPECT_EQ(debug.paths.at("NET/IB"), 1U);
  EXPECT_EQ(debug.paths.at("SHM"), 1U);
  EXPECT_EQ(debug.network_direct, 1U);
  EXPECT_EQ(debug.multicast, false);
  EXPECT_EQ(debug.communicator_ranks, 16);
}

TEST(NcclTestsReader, InfersRanksAndCollectiveFromTheRatioOfTheBandwidths) {
  SampleLog sample = two_nodes();
  std::string rows;
  for (const std::string& row : sample_rows(sample)) rows += row + "\n";
  const NcclTestsTable table = read(rows).tables.at(0);
  // 2 x 15/16 = 1.875: only all-reduce has a factor above 1, and only 16 ranks that one.
  EXPECT_EQ(table.collective, "all_reduce");
  EXPECT_EQ(table.ranks, 16);
  EXPECT_THAT(table.ranks_from, HasSubstr("ratio"));
  EXPECT_EQ(table.hosts, 0);
}

TEST(NcclTestsReader, SaysWhenTheBandwidthIsThatOfOtherRanks) {
  SampleLog sample = two_nodes();
  sample.factor = 1.75;  // 2 x 7/8: eight ranks
  const NcclTestsTable table = read(sample_text(sample)).tables.at(0);
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("2 separate jobs of 8")));
}

TEST(NcclTestsReader, SaysWhenTheLauncherWantedMoreRanks) {
  SampleLog sample = two_nodes();
  sample.hosts = 1;
  sample.before = "+ mpirun -np 16 -H node001:8,node002:8 ./build/all_reduce_perf -b 8 -e 1G -f 2 -g 1\n";
  const NcclTestsTable table = read(sample_text(sample)).tables.at(0);
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("2 separate jobs of 8")));
}

TEST(NcclTestsReader, SeesTwoJobsThatWriteIntoOneLog) {
  SampleLog sample = two_nodes();
  sample.hosts = 1;
  std::string text = "# Collective test starting: all_reduce_perf\n" + sample_header(sample, 1000) +
                     sample_header(sample, 2000);
  const std::vector<std::string> rows = sample_rows(sample);
  for (std::size_t index = 0; index < rows.size(); ++index) text += rows[index] + "\n" + rows[index] + "\n";
  const NcclTestsLog log = read(text);
  ASSERT_EQ(log.tables.size(), 1U);
  EXPECT_EQ(log.tables[0].ranks, 8);
  EXPECT_EQ(log.tables[0].rows.size(), 28U);
  EXPECT_THAT(log.tables[0].warnings, ElementsAre(HasSubstr("two jobs")));
  // The second starts while the first is at its third row.
  text = sample_header(sample, 1000) + rows[0] + "\n" + rows[1] + "\n" + sample_header(sample, 2000);
  for (std::size_t index = 2; index < rows.size(); ++index)
    text += rows[index] + "\n" + rows[index - 2] + "\n";
  EXPECT_THAT(read(text).tables.back().warnings, ElementsAre(HasSubstr("two jobs")));
}

TEST(NcclTestsReader, SaysWhenValuesWereWrongAndWhenARateIsNotSizeOverTime) {
  const NcclTestsTable table = read(
                                   "# all_reduce_perf\n  1048576  262144  float  sum  -1  50.0  99.00  "
                                   "173.25  0  50.0  20.97  36.70  12\n")
                                   .tables.at(0);
  EXPECT_THAT(table.warnings,
              ElementsAre(HasSubstr("algbw is not size over time"), HasSubstr("12 values were wrong")));
}

TEST(NcclTestsReader, ReadsTheMarkdownOfThePyTorchBenchmark) {
  const NcclTestsLog log = read(
      "The average bandwidth of all_reduce over 8 ranks (5 warmups / 20 trials):\n\n"
      "| payload |    busbw   |    algbw   |\n| ---: | ---: | ---: |\n|    32KB |     0.92GBps |     "
      "0.53GBps |\n"
      "|     4GB |   472.5GBps |   270.0GBps |\n");
  EXPECT_EQ(log.tool, "torch");
  EXPECT_EQ(log.tables.at(0).ranks, 8);
  EXPECT_EQ(log.tables[0].collective, "all_reduce");
  // 4 GiB at 270 GB/s: 15907.3 us.
  EXPECT_NEAR(log.tables[0].rows.at(1).time().value(), 15907.3e-6, 1e-7);
}

TEST(NcclTestsReader, ReadsItsJson) {
  const NcclTestsLog log =
      read(R"({"args": ["./build/reduce_scatter_perf", "-b", "8"], "env": ["HOME=/", "NCCL_ALGO=Ring"],
    "config": {"nthreads": 1, "ngpus": 4},
    "devices": [{"rank": 0, "hostname": "a", "device_info": "NVIDIA B200"}, {"rank": 1, "hostname": "b", "device_info": "NVIDIA B200"}],
    "results": [{"size": 1048576, "count": 1, "type": "half", "redop": "sum",
      "out_of_place": {"time": 50.0, "alg_bw": 20.97, "bus_bw": 10.49, "nwrong": "0"},
      "in_place": {"time": 49.5, "alg_bw": 21.18, "bus_bw": 10.59, "nwrong": "N/A"}}]})");
  const NcclTestsTable& table = log.tables.at(0);
  EXPECT_EQ(table.collective, "reduce_scatter");
  EXPECT_EQ(table.ranks, 2);
  EXPECT_EQ(table.hosts, 2);
  EXPECT_EQ(table.rows.at(0).in_place, microseconds(49.5));
  EXPECT_EQ(log.debug.variables.at("NCCL_ALGO"), "Ring");
  EXPECT_THAT(table.warnings, IsEmpty());
}

TEST(NcclTestsReader, RefusesWhatHoldsNoTable) {
  EXPECT_THAT(message_of([] { (void)read("nothing\nof the kind\n"); }),
              HasSubstr("a.log: found 2 lines and no row of a table, expected the output of nccl-tests"));
  EXPECT_THAT(message_of([] { (void)read(""); }), HasSubstr("no row"));
  EXPECT_THAT(message_of([] { (void)read("{\"results\": []}"); }), HasSubstr("JSON without a row"));
  EXPECT_THAT(message_of([] { (void)read("{\"results\": "); }), HasSubstr("a.log"));
}

TEST(NcclTestsReader, IsLinearInLinesOfOneSizeAndOfFallingSizes) {
  std::string same, falling;
  for (int index = 0; index < 100000; ++index) {
    same += "8 2 float sum -1 1.0 0.01 0.01 0 1.0 0.01 0.01 0\n";
    falling += std::to_string(100000 - index) + " 2 float sum -1 1.0 0.01 0.01 0 1.0 0.01 0.01 0\n";
  }
  EXPECT_EQ(read(same).tables.at(0).rows.size(), 1U);
  EXPECT_LE(read(falling).tables.size(), 1024U);
}

}  // namespace
}  // namespace paceline
