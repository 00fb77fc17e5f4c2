#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/engine/engine.h"
#include "tests/sim/engine/random_program.h"

namespace paceline {
namespace {

using test::random_program;

std::uint32_t replicas(const Program& program, OpId op) {
  return program.ranks[program.streams[program.operations[op].stream].rank].multiplicity;
}

void assert_same_times(const Program& folded) {
  const Schedule short_run = run(folded);
  const Schedule long_run = run(unfold(folded));
  RC_ASSERT(short_run.finish == long_run.finish);
  OpId unfolded = 0;
  for (OpId op = 0; op < folded.operations.size(); ++op) {
    for (std::uint32_t replica = 0; replica < replicas(folded, op); ++replica, ++unfolded) {
      RC_ASSERT(short_run.start[op] == long_run.start[unfolded]);
      RC_ASSERT(short_run.end[op] == long_run.end[unfolded]);
    }
  }
  CommunicationId instance = 0;
  for (CommunicationId id = 0; id < folded.communications.size(); ++id)
    for (std::uint32_t each = 0; each < folded.communications[id].instances; ++each)
      RC_ASSERT(short_run.all_present[id] == long_run.all_present[instance++]);
}

// Exact: a flow's arithmetic does not depend on how many identical flows are written out, since loads count
// flows of equal weight before they multiply, and since all that happens at one moment is handled before
// rates change. One program in a few hundred tells if either is broken, hence twenty to a case.
RC_GTEST_PROP(EngineProperty, FoldedAndUnfoldedProgramsTakeTheSameTimesToTheLastBit, ()) {
  for (int each = 0; each < 20; ++each) assert_same_times(random_program());
}

RC_GTEST_PROP(EngineProperty, StreamsAreFirstInFirstOutAndDependenciesAreKept, ()) {
  const Program program = random_program();
  const Schedule schedule = run(program);
  std::vector<double> stream_end(program.streams.size());
  for (OpId op = 0; op < program.operations.size(); ++op) {
    double& previous = stream_end[program.operations[op].stream];
    RC_ASSERT(schedule.start[op] >= previous);
    RC_ASSERT(schedule.end[op] >= schedule.start[op]);
    for (const OpId dependency : program.dependencies(op))
      RC_ASSERT(schedule.start[op] >= schedule.end[dependency]);
    previous = schedule.end[op];
  }
}

RC_GTEST_PROP(EngineProperty, NoCommunicationIsFasterThanAlone, ()) {
  const Program program = random_program();
  const Schedule schedule = run(program);
  for (OpId op = 0; op < program.operations.size(); ++op) {
    if (program.operations[op].kind != OpKind::communication) continue;
    const Communication& each = program.communications[program.operations[op].communication];
    const Seconds alone = each.arrival_spread + each.latency + each.wire_bytes / each.rate;
    const double taken = schedule.end[op] - schedule.all_present[program.operations[op].communication];
    RC_ASSERT(taken >= alone.value() * (1 - 1e-9) - 1e-12);
  }
}

// Holds for what the engine adds up without looking at who else is active: streams are first in, first out,
// so more work anywhere delays, and never reorders. With shared links it does not hold: a transfer that comes
// later may meet others at a better moment (a scheduling anomaly), and with slowdowns so may a kernel.
RC_GTEST_PROP(EngineProperty, ASlowerLinkNeverEndsAnythingEarlierWhenNothingIsShared, ()) {
  Program program = random_program({.slowdowns = false});
  for (Communication& each : program.communications) each.uses.clear();
  const Schedule before = run(program);
  const auto slower = *rc::gen::inRange<std::size_t>(0, program.communications.size() + 1);
  if (slower < program.communications.size()) program.communications[slower].rate *= 0.5;
  const Schedule after = run(program);
  for (OpId op = 0; op < program.operations.size(); ++op) RC_ASSERT(after.end[op] >= before.end[op]);
}

// One link under everything, all transfers ready at the start, each on its own stream: max-min fairness then
// gives each a share that only falls when the link gets slower.
RC_GTEST_PROP(EngineProperty, ASlowerLinkNeverEndsATransferEarlierWhenAllStartTogether, ()) {
  Program program;
  const ResourceId link = program.add_resource({"link", BytesPerSecond(*rc::gen::inRange(2, 20)), no_id});
  const auto count = *rc::gen::inRange(1, 8);
  for (int each = 0; each < count; ++each) {
    const RankId rank = program.add_rank({.name = "rank", .first_rank = each});
    const StreamId stream = program.add_stream({rank, StreamKind::communication, "stream"});
    const CommunicationId id =
        program.add_communication({.wire_bytes = Bytes(*rc::gen::inRange(1, 50) / 7.0),
                                   .rate = BytesPerSecond(*rc::gen::inRange(1, 20) / 3.0),
                                   .uses = {{link, *rc::gen::inRange(1, 4) / 3.0}}});
    program.add_operation({.stream = stream, .kind = OpKind::communication, .communication = id});
  }
  const Schedule before = run(program);
  program.resources[link].capacity *= *rc::gen::inRange(1, 10) / 10.0;
  const Schedule after = run(program);
  for (OpId op = 0; op < program.operations.size(); ++op)
    RC_ASSERT(after.end[op] >= before.end[op] * (1 - 1e-12));
}

RC_GTEST_PROP(EngineProperty, RunsAreRepeatable, ()) {
  const Program program = random_program();
  const Schedule first = run(program);
  const Schedule second = run(program);
  RC_ASSERT(first.start == second.start);
  RC_ASSERT(first.end == second.end);
  RC_ASSERT(first.all_present == second.all_present);
  RC_ASSERT(first.events == second.events);
}

}  // namespace
}  // namespace paceline
