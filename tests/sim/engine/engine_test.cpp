#include "sim/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "tests/sim/engine/program_builder.h"

namespace paceline {
namespace {

using test::add_local;
using test::add_member;
using test::add_rank;
using test::lasting;

TEST(Engine, AnEmptyProgramTakesNoTime) { EXPECT_EQ(run(Program()).finish, 0); }

TEST(Engine, AStreamIsFirstInFirstOutAndDependenciesAreWaitedFor) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  // host:    |a 1|b 1|
  // compute:     |c 5    |d 1|    c after a; d after b, but behind c
  const OpId a = add_local(program, rank.host, 1);
  const OpId b = add_local(program, rank.host, 1);
  const OpId c = add_local(program, rank.compute, 5, {a});
  const OpId d = add_local(program, rank.compute, 1, {b});
  const Schedule schedule = run(program);
  EXPECT_EQ(schedule.start[b], 1);
  EXPECT_EQ(schedule.start[c], 1);
  EXPECT_EQ(schedule.start[d], 6);
  EXPECT_EQ(schedule.finish, 7);
}

TEST(Engine, ACommunicationStartsWhenTheLastHasArrivedAndEndsForAllAtOnce) {
  Program program;
  const auto first = add_rank(program, "rank 0");
  const auto second = add_rank(program, "rank 1", 1);
  Communication communication = lasting(2);
  communication.arrival_spread = Seconds(0.25);
  communication.latency = Seconds(0.5);
  const CommunicationId id = program.add_communication(communication);
  const OpId slow = add_local(program, second.compute, 3);
  const OpId early = add_member(program, first.communication, id);
  const OpId late = add_member(program, second.communication, id, {slow});
  const Schedule schedule = run(program);
  // Rank 0 is there at 0, rank 1 at 3; 3 + 0.25 + 0.5 + 2 = 5.75.
  EXPECT_EQ(schedule.start[early], 0);
  EXPECT_EQ(schedule.start[late], 3);
  EXPECT_EQ(schedule.all_present[id], 3);
  EXPECT_EQ(schedule.end[early], 5.75);
  EXPECT_EQ(schedule.end[late], 5.75);
}

TEST(Engine, ACommunicationWithoutBytesTakesOnlyItsLatency) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  const ResourceId link = program.add_resource({"link", BytesPerSecond(10), rank.id});
  const CommunicationId id =
      program.add_communication({.latency = Seconds(0.5), .rate = BytesPerSecond(10), .uses = {{link, 1}}});
  add_member(program, rank.communication, id);
  EXPECT_EQ(run(program).finish, 0.5);
}

// A step as DistributedDataParallel runs it: three buckets are ready at 10, 20 and 30 ms and take 15 ms each
// on one communication stream; the computation ends at 32 ms.
TEST(Engine, BucketsQueueOnTheCommunicationStream) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  std::vector<OpId> buckets;
  for (int bucket = 0; bucket < 3; ++bucket) {
    const OpId ready = add_local(program, rank.compute, 0.010);
    const CommunicationId id = program.add_communication(lasting(0.015));
    buckets.push_back(add_member(program, rank.communication, id, {ready}));
  }
  const OpId last = add_local(program, rank.compute, 0.002);
  const Schedule schedule = run(program);
  // Reached at 10, 25 (20, but behind the first) and 40 ms; exposed: 55 - 32 = 23 ms.
  const double starts[] = {0.010, 0.025, 0.040};
  for (std::size_t bucket = 0; bucket < 3; ++bucket) {
    EXPECT_DOUBLE_EQ(schedule.start[buckets[bucket]], starts[bucket]);
    EXPECT_DOUBLE_EQ(schedule.end[buckets[bucket]], starts[bucket] + 0.015);
  }
  EXPECT_DOUBLE_EQ(schedule.end[last], 0.032);
  EXPECT_NEAR(schedule.finish - schedule.end[last], 0.023, 1e-15);
}

TEST(Engine, ComputeSlowsDownWhileItsRankCommunicates) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  Communication communication = lasting(0.004);
  communication.compute_slowdown = 0.5;
  const OpId before = add_local(program, rank.host, 0.003);
  add_member(program, rank.communication, program.add_communication(communication), {before});
  const OpId kernel = add_local(program, rank.compute, 0.010);
  const OpId host_work = add_local(program, rank.host, 0.010);
  const Schedule schedule = run(program);
  // 3 ms at full speed, 4 ms at half speed (2 ms' worth), 5 ms at full speed: 12 ms. The host is not slowed.
  EXPECT_DOUBLE_EQ(schedule.end[kernel], 0.012);
  EXPECT_DOUBLE_EQ(schedule.end[host_work], 0.013);
}

TEST(Engine, SlowdownsMultiplyAndSpareTheArrivalSpread) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  Communication half = lasting(4);
  half.compute_slowdown = 0.5;
  Communication spread = lasting(2);
  spread.arrival_spread = Seconds(2);
  spread.latency = Seconds(1);
  spread.compute_slowdown = 0.2;
  add_member(program, rank.communication, program.add_communication(half));
  add_member(program, rank.copy, program.add_communication(spread));
  const OpId kernel = add_local(program, rank.compute, 10);
  // Speed 0.5 in [0, 2), 0.5 * 0.8 = 0.4 in [2, 4), 0.8 in [4, 5), then 1: 1 + 0.8 + 0.8 = 2.6 done at 5, the
  // other 7.4 end at 12.4.
  EXPECT_DOUBLE_EQ(run(program).end[kernel], 12.4);
}

TEST(Engine, TwoCopiesShareASlot) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  const ResourceId slot = program.add_resource({"PCIe slot", gigabytes_per_second(10), rank.id});
  for (const StreamId stream : {rank.copy, rank.communication})
    add_member(program, stream,
               program.add_communication({.kind = CommunicationKind::copy,
                                          .wire_bytes = Bytes(1e9),
                                          .rate = gigabytes_per_second(10),
                                          .uses = {{slot, 1}}}));
  const Schedule schedule = run(program);
  // 2 GB / (10 GB/s) = 0.2 s for both.
  EXPECT_DOUBLE_EQ(schedule.end[0], 0.2);
  EXPECT_DOUBLE_EQ(schedule.end[1], 0.2);
}

TEST(Engine, ATransferSpeedsUpWhenTheOtherEnds) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  const ResourceId link = program.add_resource({"link", BytesPerSecond(10), no_id});
  const auto transfer = [&](double bytes) {
    return program.add_communication(
        {.wire_bytes = Bytes(bytes), .rate = BytesPerSecond(10), .uses = {{link, 1}}});
  };
  const OpId small = add_member(program, rank.communication, transfer(10));
  const OpId large = add_member(program, rank.copy, transfer(30));
  const Schedule schedule = run(program);
  // At 5 B/s each until the small one has moved its 10 B at 2 s; then 20 B are left at 10 B/s: 4 s.
  EXPECT_DOUBLE_EQ(schedule.end[small], 2);
  EXPECT_DOUBLE_EQ(schedule.end[large], 4);
}

TEST(Engine, InstancesOfAFoldedCopyShareWhatNobodyOwns) {
  Program program;
  const auto gpus = add_rank(program, "GPU 0-3", 0, 4);
  const ResourceId bridge = program.add_resource({"host bridge", BytesPerSecond(20), no_id});
  const ResourceId slot = program.add_resource({"slot", BytesPerSecond(10), gpus.id});
  add_member(program, gpus.copy,
             program.add_communication({.kind = CommunicationKind::copy,
                                        .instances = 4,
                                        .wire_bytes = Bytes(10),
                                        .rate = BytesPerSecond(10),
                                        .uses = {{slot, 1}, {bridge, 1}}}));
  // Four copies of 10 B over a bridge of 20 B/s, each with a slot for itself: 5 B/s each, 2 s.
  EXPECT_EQ(run(program).finish, 2);
  EXPECT_EQ(run(unfold(program)).finish, 2);
}

TEST(Engine, ADeadlockNamesWhatIsStuck) {
  Program program;
  const auto first = add_rank(program, "rank 0");
  const auto second = add_rank(program, "rank 1", 1);
  const CommunicationId a = program.add_communication(lasting(1));
  const CommunicationId b = program.add_communication(lasting(1));
  // Rank 0 reaches a before b, rank 1 b before a.
  add_member(program, first.communication, a);
  add_member(program, first.communication, b);
  add_member(program, second.communication, b);
  add_member(program, second.communication, a);
  try {
    static_cast<void>(run(program));
    FAIL() << "a deadlock was not noticed";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("4 of 4 operations never end"));
    EXPECT_THAT(error.what(), testing::HasSubstr("operation 0 \"all-reduce\" (rank 0, stream 20) waits in "
                                                 "communication 0 for operation 3"));
  }
}

TEST(Engine, RefusesAProgramThatMakesNoSense) {
  Program program;
  const auto rank = add_rank(program, "rank 0");
  add_local(program, rank.compute, -1);
  EXPECT_THROW(static_cast<void>(run(program)), std::logic_error);
}

}  // namespace
}  // namespace paceline
