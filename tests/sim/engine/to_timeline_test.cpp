#include "sim/engine/to_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/engine/program_builder.h"

namespace paceline {
namespace {

using testing::ElementsAre;

// Two ranks, the second of which stands for three: the host of rank 0 launches a kernel of 2 s; then all meet
// in an all-reduce of 1 s, which the others reach at once.
class ToTimeline : public ::testing::Test {
 protected:
  ToTimeline() {
    const auto first = test::add_rank(program, "GPU 0");
    const auto others = test::add_rank(program, "GPU 1-3", 1, 3);
    program.phases = {"forward", "backward"};
    launch = test::add_local(program, first.host, 0.5);
    program.operations[launch].family = Family::runtime;
    kernel = test::add_local(program, first.compute, 2, {launch});
    program.operations[kernel].phase = 1;
    program.operations[kernel].provenance = Provenance::measured;
    Communication communication = test::lasting(1);
    communication.message = Bytes(4096);
    communication.ranks = 4;
    communication.algorithm = "ring";
    communication.protocol = "LL128";
    const CommunicationId id = program.add_communication(communication);
    late = test::add_member(program, first.communication, id, {kernel});
    early = test::add_member(program, others.communication, id);
  }

  Timeline convert() { return to_timeline(program, run(program)); }

  static std::string text_argument(const Timeline& timeline, SliceId slice, std::string_view key) {
    const Argument* argument = timeline.find_argument(slice, key);
    return argument == nullptr ? "" : timeline.strings[std::get<StringId>(argument->value)];
  }
  static std::int64_t number_argument(const Timeline& timeline, SliceId slice, std::string_view key) {
    const Argument* argument = timeline.find_argument(slice, key);
    return argument == nullptr ? -1 : std::get<std::int64_t>(argument->value);
  }

  Program program;
  OpId launch = 0, kernel = 0, late = 0, early = 0;
};

TEST_F(ToTimeline, EachStreamOfEachRankIsATrack) {
  const Timeline timeline = convert();
  ASSERT_EQ(timeline.tracks.size(), 8);
  const Track& host = timeline.tracks[0];
  EXPECT_EQ(host.kind, TrackKind::host_thread);
  EXPECT_EQ(timeline.strings[host.process_name], "GPU 0");
  const Track& compute = timeline.tracks[5];
  EXPECT_EQ(compute.kind, TrackKind::device_stream);
  EXPECT_EQ(compute.rank, 1);
  EXPECT_EQ(timeline.strings[compute.process_name], "GPU 1-3 (x3)");
  EXPECT_EQ(timeline.strings[compute.name], "stream 7");
}

TEST_F(ToTimeline, SlicesHaveTheTimesOfTheirOperations) {
  const Timeline timeline = convert();
  EXPECT_EQ(timeline.start(kernel), 500'000'000);
  EXPECT_EQ(timeline.duration(kernel), 2'000'000'000);
  EXPECT_EQ(timeline.family(kernel), Family::kernel);
  EXPECT_EQ(timeline.family(launch), Family::runtime);
  EXPECT_EQ(text_argument(timeline, kernel, "phase"), "backward");
  EXPECT_EQ(text_argument(timeline, kernel, "provenance"), "measured");
}

TEST_F(ToTimeline, ACommunicationSaysHowLongItWaitedAndHowLongItMovedBytes) {
  const Timeline timeline = convert();
  EXPECT_EQ(number_argument(timeline, early, "wait_ns"), 2'500'000'000);
  EXPECT_EQ(number_argument(timeline, late, "wait_ns"), 0);
  EXPECT_EQ(number_argument(timeline, early, "transfer_ns"), 1'000'000'000);
  EXPECT_EQ(timeline.duration(early), 3'500'000'000);
  EXPECT_EQ(text_argument(timeline, early, "Collective name"), "all-reduce");
  EXPECT_EQ(number_argument(timeline, early, "Group size"), 4);
  EXPECT_EQ(number_argument(timeline, early, "bytes"), 4096);
  EXPECT_EQ(text_argument(timeline, early, "algorithm"), "ring");
  EXPECT_EQ(text_argument(timeline, early, "protocol"), "LL128");
}

TEST_F(ToTimeline, FlowsShowLaunchesAndWhoWaitedForWhom) {
  const Timeline timeline = convert();
  ASSERT_EQ(timeline.flows.size(), 2);
  EXPECT_EQ(timeline.flows[0].from, launch);
  EXPECT_EQ(timeline.flows[0].to, kernel);
  EXPECT_EQ(timeline.strings[timeline.flows[0].category], "ac2g");
  EXPECT_EQ(timeline.flows[1].from, early);
  EXPECT_EQ(timeline.flows[1].to, late);
  EXPECT_EQ(timeline.strings[timeline.flows[1].category], "collective");
}

TEST_F(ToTimeline, EachRankHasAStepOnItsHostTrack) {
  const Timeline timeline = convert();
  std::vector<TrackId> tracks;
  for (SliceId slice = 0; slice < timeline.slice_count(); ++slice) {
    if (timeline.family(slice) != Family::step) continue;
    tracks.push_back(timeline.track(slice));
    EXPECT_EQ(timeline.name_text(slice), "ProfilerStep#0");
    EXPECT_EQ(timeline.start(slice), 0);
    EXPECT_EQ(timeline.duration(slice), 3'500'000'000);
  }
  EXPECT_THAT(tracks, ElementsAre(0, 4));
}

// Held before the step: 100. The kernel allocates 50 when it starts (0.5 s) and frees 30 when it ends (2.5
// s); the all-reduce, which starts at that very moment, allocates 30: never more than 150 at once.
TEST_F(ToTimeline, MemoryIsCountedInTheOrderOfOperations) {
  program.memory = {{.op = late, .rank = 0, .change = Bytes(30)},
                    {.op = no_id, .rank = 0, .change = Bytes(60)},
                    {.op = kernel, .rank = 0, .change = Bytes(50)},
                    {.op = kernel, .rank = 0, .at_end = true, .change = Bytes(-30)},
                    {.op = no_id, .rank = 0, .change = Bytes(40)}};
  const Timeline timeline = convert();
  ASSERT_EQ(timeline.counters.size(), 1);
  const Counter& counter = timeline.counters.front();
  EXPECT_EQ(counter.rank, 0);
  EXPECT_EQ(timeline.strings[counter.name], "memory allocated");
  EXPECT_EQ(timeline.strings[counter.unit], "bytes");
  EXPECT_THAT(counter.times, ElementsAre(0, 500'000'000, 2'500'000'000, 2'500'000'000));
  EXPECT_THAT(counter.values, ElementsAre(100, 150, 120, 150));
}

// 1/3 s and 2/3 s are no whole nanoseconds; the second slice begins where the first ends all the same.
TEST(ToTimelineRounding, KeepsSlicesOfAStreamApart) {
  Program rounding;
  const auto rank = test::add_rank(rounding, "rank 0");
  for (int each = 0; each < 1000; ++each) test::add_local(rounding, rank.compute, 1e-9 / 3);
  const Timeline timeline = to_timeline(rounding, run(rounding));
  for (SliceId slice = 1; slice < 1000; ++slice) EXPECT_EQ(timeline.start(slice), timeline.end(slice - 1));
}

}  // namespace
}  // namespace paceline
