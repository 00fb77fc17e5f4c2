#include "probe/report.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

Measurement taking(Seconds time) { return {time, time / 100, time, time, 10, false}; }

MeasuredCollective collective(const std::string& kind, int ranks) {
  return {kind, "shared memory ring", ranks, 1, Bytes(1e9), taking(Seconds(0.5))};
}

TEST(BusBandwidth, IsThatOfNcclTests) {
  // 1 GB in 0.5 s is an algbw of 2 GB/s. Factors over 4 ranks: all-reduce 2 * 3/4, all-gather and
  // reduce-scatter 3/4, broadcast and reduce 1.
  EXPECT_DOUBLE_EQ(bus_bandwidth(collective("all_reduce", 4)).value(), 3e9);
  EXPECT_DOUBLE_EQ(bus_bandwidth(collective("all_gather", 4)).value(), 1.5e9);
  EXPECT_DOUBLE_EQ(bus_bandwidth(collective("reduce_scatter", 4)).value(), 1.5e9);
  EXPECT_DOUBLE_EQ(bus_bandwidth(collective("broadcast", 4)).value(), 2e9);
  EXPECT_DOUBLE_EQ(bus_bandwidth(collective("all_reduce", 2)).value(), 2e9);
}

TEST(ProfileTable, HasARowForEachMeasurementWithItsRate) {
  Profile profile;
  // 2 * 1000^3 FLOP in 1 ms is 2 TFLOP/s.
  profile.gemms.push_back({"fp32", 1000, 1000, 1000, 1, taking(milliseconds(1))});
  // 3 GB in 1 s.
  profile.memory.push_back({"triad", Bytes(3e9), taking(Seconds(1))});
  profile.copies.push_back({"host_to_device", true, Bytes(1e6), taking(milliseconds(1))});
  profile.collectives.push_back(collective("all_reduce", 4));
  profile.launches.push_back({"empty kernel", taking(microseconds(3))});
  const std::string text = to_text(profile_table(profile));
  EXPECT_NE(text.find("2 TFLOP/s"), std::string::npos) << text;
  EXPECT_NE(text.find("memory triad"), std::string::npos) << text;
  EXPECT_NE(text.find("3 GB/s"), std::string::npos) << text;
  EXPECT_NE(text.find("copy host to device, pinned"), std::string::npos) << text;
  EXPECT_NE(text.find("all reduce, shared memory ring, 4 ranks"), std::string::npos) << text;
  EXPECT_NE(text.find("3 µs"), std::string::npos) << text;
  EXPECT_EQ(profile_table(profile).rows.size(), 5U);
}

TEST(ProfileReport, ShowsTheNotes) {
  Profile profile;
  profile.notes = {"the machine was noisy: 3 of 4"};
  EXPECT_NE(profile_report(profile).find("note: the machine was noisy: 3 of 4\n"), std::string::npos);
}

}  // namespace
}  // namespace paceline
