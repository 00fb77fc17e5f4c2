#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/plan/program.h"
#include "tests/sim/engine/program_builder.h"

namespace paceline {
namespace {

using testing::ElementsAre;

std::vector<CommunicationId> groups(const Program& program) {
  std::vector<CommunicationId> result;
  for (const Operation& operation : program.operations) result.push_back(operation.communication);
  return result;
}

Program grouped(std::uint32_t instances, std::uint32_t stride) {
  Program program;
  const auto ranks = test::add_rank(program, "rank 0-3", 0, 4);
  Communication communication = test::lasting(1);
  communication.instances = instances;
  communication.stride = stride;
  test::add_member(program, ranks.communication, program.add_communication(communication));
  return unfold(program);
}

TEST(Unfold, NamesAndNumbersEveryRank) {
  Program program;
  program.add_rank({.name = "GPU 0", .first_rank = 0});
  program.add_rank({.name = "GPU 1-5 (x3)", .first_rank = 1, .multiplicity = 3, .rank_stride = 2});
  const Program unfolded = unfold(program);
  ASSERT_EQ(unfolded.ranks.size(), 4);
  EXPECT_EQ(unfolded.ranks[0].name, "GPU 0");
  EXPECT_EQ(unfolded.ranks[2].name, "GPU 3");
  EXPECT_EQ(unfolded.ranks[2].first_rank, 3);
  EXPECT_EQ(unfolded.ranks[2].multiplicity, 1);
  EXPECT_EQ(unfolded.device_count(), program.device_count());
}

TEST(Unfold, ReplicasJoinTheGroupThatTheProgramSays) {
  EXPECT_THAT(groups(grouped(1, 1)), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(groups(grouped(2, 1)), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(groups(grouped(2, 2)), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(groups(grouped(4, 1)), ElementsAre(0, 1, 2, 3));
  EXPECT_THROW(grouped(3, 1), std::logic_error);
  EXPECT_THROW(grouped(2, 3), std::logic_error);
}

TEST(Unfold, AnInstanceUsesItsMembersCopiesAndWhatNobodyOwns) {
  Program program;
  const auto ranks = test::add_rank(program, "rank 0-3", 0, 4);
  const ResourceId link = program.add_resource({"link", BytesPerSecond(1), ranks.id});
  const ResourceId network = program.add_resource({"network", BytesPerSecond(1), no_id});
  Communication communication = test::lasting(1);
  communication.instances = 2;
  communication.uses = {{link, 0.5}, {network, 2}};
  test::add_member(program, ranks.communication, program.add_communication(communication));
  const Program unfolded = unfold(program);
  ASSERT_EQ(unfolded.resources.size(), 5);
  const std::vector<ResourceUse>& uses = unfolded.communications[1].uses;
  ASSERT_EQ(uses.size(), 3);
  EXPECT_EQ(uses[0].resource, 2);
  EXPECT_EQ(uses[1].resource, 3);
  EXPECT_EQ(uses[1].weight, 0.5);
  EXPECT_EQ(uses[2].resource, 4);
  EXPECT_EQ(unfolded.resources[3].owner, 3);
}

TEST(Unfold, DependenciesGoReplicaToReplicaOrAllToAll) {
  Program program;
  const auto one = test::add_rank(program, "process 0");
  const auto pair = test::add_rank(program, "GPU 0-1", 0, 2);
  const OpId alone = test::add_local(program, one.host, 1);
  const OpId first = test::add_local(program, pair.compute, 1, {alone});
  const OpId second = test::add_local(program, pair.copy, 1, {first});
  test::add_local(program, one.host, 1, {second});
  const Program unfolded = unfold(program);
  ASSERT_EQ(unfolded.operations.size(), 6);
  const auto dependencies = [&](OpId op) {
    const std::span<const OpId> span = unfolded.dependencies(op);
    return std::vector<OpId>(span.begin(), span.end());
  };
  EXPECT_THAT(dependencies(2), ElementsAre(0));
  EXPECT_THAT(dependencies(4), ElementsAre(2));
  EXPECT_THAT(dependencies(5), ElementsAre(3, 4));
}

TEST(Unfold, MemoryEventsAreReplicated) {
  Program program;
  const auto pair = test::add_rank(program, "GPU 0-1", 0, 2);
  const OpId op = test::add_local(program, pair.compute, 1);
  program.memory = {{.op = op, .rank = pair.id, .change = Bytes(8)},
                    {.op = no_id, .rank = pair.id, .change = Bytes(4)}};
  const Program unfolded = unfold(program);
  ASSERT_EQ(unfolded.memory.size(), 4);
  EXPECT_EQ(unfolded.memory[1].op, 1);
  EXPECT_EQ(unfolded.memory[1].rank, 1);
  EXPECT_EQ(unfolded.memory[3].op, no_id);
}

}  // namespace
}  // namespace paceline
