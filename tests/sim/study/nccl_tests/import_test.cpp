// Tables as a Profile; breaks and outliers.
#include <gmock/gmock.h>

#include <sstream>

#include "base/file.h"
#include "sim/study/nccl_tests/curve_breaks.h"
#include "sim/study/nccl_tests/nccl_tests_profile.h"
#include "tests/base/message_of.h"
#include "tests/base/scratch_folder.h"
#include "tests/sim/study/nccl_tests/sample_log.h"

namespace paceline {
namespace {
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double mib = 1024.0 * 1024.0;

NcclTestsLog read(const SampleLog& sample) {
  std::istringstream stream(sample_text(sample));
  return read_nccl_tests(stream, "a.log");
}

SampleLog one_node() {
  SampleLog sample;
  sample.points = sample_points(1024, 1 << 30, 20, 120000);
  return sample;
}

// nvidia/nccl issue 1453: three nodes over two racks. The time grows 24410 / 2180.1 = 11.2 x from 32 to 64
// MiB; 1 MiB takes longer than 8 MiB.
SampleLog cliff() {
  SampleLog sample;
  sample.hosts = 3;
  sample.gpu = "NVIDIA H100 80GB HBM3";
  sample.points = {{1 * mib, 1626.5},   {8 * mib, 992.6},     {16 * mib, 1334.9},   {32 * mib, 2180.1},
                   {64 * mib, 24410.0}, {128 * mib, 49264.0}, {512 * mib, 193909.0}};
  return sample;
}

class Import : public ScratchFolder {};

TEST_F(Import, KeepsEveryRowAndIsAProfile) {
  const Profile profile = to_profile(read(one_node()), {});
  ASSERT_EQ(profile.collectives.size(), 21U);
  EXPECT_EQ(profile.device, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(profile.host, "node001");
  const MeasuredCollective& row = profile.collectives.back();
  EXPECT_EQ(row.kind, "all_reduce");
  EXPECT_EQ(row.transport, "nccl");
  EXPECT_EQ(row.ranks, 8);
  EXPECT_EQ(row.nodes, 1);
  EXPECT_EQ(row.bytes, gibibytes(1));
  EXPECT_EQ(row.time.samples, 2);
  EXPECT_FALSE(row.time.noisy);
  EXPECT_THAT(profile.notes, ElementsAre("NCCL 2.27.7"));
  write_profile(profile, path("p.json"));
  EXPECT_EQ(to_json(read_profile(path("p.json"))), to_json(profile));
}

TEST_F(Import, MarksTheCliffAndTheOutlier) {
  const Profile profile = to_profile(read(cliff()), {});
  EXPECT_EQ(profile.collectives.size(), 7U);
  EXPECT_TRUE(profile.collectives[0].time.noisy);
  EXPECT_FALSE(profile.collectives[3].time.noisy);
  EXPECT_THAT(profile.notes,
              Contains(AllOf(HasSubstr("11.2 x from 32"), HasSubstr("to 64"), HasSubstr("another regime"))));
  EXPECT_THAT(profile.notes, Contains(HasSubstr("outlier at 1")));
}

TEST_F(Import, MarksRowsWhoseColumnsDiffer) {
  SampleLog sample = one_node();
  sample.points[5].in_place = sample.points[5].micro * 1.2;
  const Profile profile = to_profile(read(sample), {});
  EXPECT_TRUE(profile.collectives[5].time.noisy);
  EXPECT_LT(profile.collectives[5].time.median, profile.collectives[5].time.p95);
}

TEST_F(Import, CountsADomainAsANode) {
  SampleLog sample = one_node();
  sample.hosts = 18;
  sample.per_host = 4;
  EXPECT_EQ(to_profile(read(sample), {}).collectives[0].nodes, 18);
  EXPECT_EQ(to_profile(read(sample), {.collective = "", .device = "", .domain = 72, .hosts = {}})
                .collectives[0]
                .nodes,
            1);
}

TEST_F(Import, RefusesATableThatDoesNotSayEnough) {
  std::istringstream stream("  1048576  262144  float  sum  -1  50.0  20.97  20.97  0\n");
  const NcclTestsLog log = read_nccl_tests(stream, "a.log");
  EXPECT_THAT(message_of([&] { (void)to_profile(log, {}); }),
              HasSubstr("which collective it is (--collective)"));
  EXPECT_THAT(message_of([&] {
                (void)to_profile(log, {.collective = "broadcast", .device = "", .domain = {}, .hosts = {}});
              }),
              HasSubstr("the number of ranks"));
}

TEST(CurveShape, FindsTheBreakAndTheOutlierOfTheCliff) {
  const CurveShape shape = curve_shape(read(cliff()).tables.at(0).rows);
  EXPECT_THAT(shape.outliers, ElementsAre(0U));
  ASSERT_EQ(shape.breaks.size(), 1U);
  EXPECT_EQ(shape.breaks[0].below, mebibytes(32));
  EXPECT_EQ(shape.breaks[0].above, mebibytes(64));
  EXPECT_NEAR(shape.breaks[0].time_ratio, 11.197, 1e-3);
  // 15.39 GB/s at 32 MiB, 2.72 at 128 MiB.
  EXPECT_NEAR(shape.deepest_fall, 1 - 2.7245 / 15.3912, 1e-4);
}

TEST(CurveShape, HasNoBreakInALatencyAndBandwidthCurveOfAnySpacing) {
  for (const double step : {1.1, 2.0, 8.0}) {
    std::vector<NcclTestsRow> rows;
    for (double bytes = 8; bytes < 1e10; bytes *= step) {
      rows.emplace_back();
      rows.back().bytes = Bytes(bytes);
      rows.back().out_of_place = microseconds(30 + bytes / 2e5);
    }
    const CurveShape shape = curve_shape(rows);
    EXPECT_THAT(shape.outliers, IsEmpty());
    EXPECT_THAT(shape.breaks, IsEmpty());
    EXPECT_EQ(shape.deepest_fall, 0);
  }
}

TEST(CurveShape, FindsOneSlowPointAmongLargeOnes) {
  SampleLog sample = one_node();
  sample.points[15].micro *= 1.9;  // 32 MiB: less than at 64 MiB, but above the line
  const CurveShape shape = curve_shape(read(sample).tables.at(0).rows);
  EXPECT_THAT(shape.outliers, ElementsAre(15U));
  EXPECT_THAT(shape.breaks, IsEmpty());
}

}  // namespace
}  // namespace paceline
