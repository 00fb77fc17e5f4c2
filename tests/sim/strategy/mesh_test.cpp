// Process groups of a mesh, and how they lie over nodes.
#include "sim/strategy/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/message_of.h"

namespace paceline {
namespace {

using ::testing::ElementsAre;
using enum GroupKind;

Parallelism of(Degrees degrees, int replicas = 1, RankOrder order = RankOrder::tensor_context_data_pipeline) {
  Parallelism parallelism;
  parallelism.degrees = degrees;
  parallelism.order = order;
  parallelism.replicas = replicas;
  return parallelism;
}

void expect_group(const MeshGroup& group, int size, int stride, int per_node, int nodes) {
  EXPECT_EQ(group.size, size);
  EXPECT_EQ(group.stride, stride);
  EXPECT_EQ(group.per_node, per_node);
  EXPECT_EQ(group.nodes(), nodes);
}

// 64 ranks, 8 a node: tensor 4 x context 2 x pipeline 2, so data 4; a stage has 32 ranks, 4 nodes.
TEST(Mesh, GroupsOfMegatron) {
  const Mesh mesh(of({.tensor = 4, .pipeline = 2, .context = 2, .expert = 16}, 2), 64, 8);
  EXPECT_EQ(mesh.data(), 4);
  expect_group(mesh.group(tensor), 4, 1, 4, 1);
  expect_group(mesh.group(context), 2, 4, 2, 1);
  expect_group(mesh.group(data), 8, 4, 2, 4);
  expect_group(mesh.group(pipeline), 2, 32, 1, 2);
  expect_group(mesh.group(expert), 16, 1, 8, 2);
  expect_group(mesh.group(expert_data), 2, 16, 1, 2);  // 4 x 2 x 4 / 16
  expect_group(mesh.group(shards), 4, 4, 2, 2);        // 8 / 2
  expect_group(mesh.group(replicas), 2, 16, 1, 2);
  expect_group(mesh.group(stage_ends), 2, 32, 1, 2);
  expect_group(mesh.group(world), 64, 1, 8, 8);
  EXPECT_EQ(mesh.first_rank_of_stage(1), 32);
  EXPECT_TRUE(mesh.stages_cross_nodes());
}

// rank = tp + 4 (cp + 2 (dp + 4 pp)): 45 = 1 + 4 (1 + 2 (1 + 4 x 1)).
TEST(Mesh, PlaceOfARank) {
  const Mesh mesh(of({.tensor = 4, .pipeline = 2, .context = 2, .expert = 16}), 64, 8);
  const RankPlace place = mesh.place(45);
  EXPECT_THAT((std::vector{place.tensor, place.context, place.data, place.pipeline}),
              ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(mesh.members(tensor, 45), ElementsAre(44, 45, 46, 47));
  EXPECT_THAT(mesh.members(context, 45), ElementsAre(41, 45));
  EXPECT_THAT(mesh.members(data, 45), ElementsAre(33, 37, 41, 45, 49, 53, 57, 61));
  EXPECT_THAT(mesh.members(pipeline, 45), ElementsAre(13, 45));
  EXPECT_THAT(mesh.members(expert_data, 45), ElementsAre(45, 61));
}

// Neighbouring stages on neighbouring ranks: 32 ranks, tensor 2 x pipeline 4, data 4; a node of 8 holds one
// whole pipeline.
TEST(Mesh, NeighbouringStagesOnNeighbouringRanks) {
  const Mesh mesh(of({.tensor = 2, .pipeline = 4, .expert = 2}, 2, RankOrder::tensor_context_pipeline_data),
                  32, 8);
  expect_group(mesh.group(pipeline), 4, 2, 4, 1);
  expect_group(mesh.group(data), 4, 8, 1, 4);
  expect_group(mesh.group(expert_data), 4, 8, 1, 4);
  expect_group(mesh.group(replicas), 2, 16, 1, 2);
  expect_group(mesh.group(stage_ends), 2, 6, 2, 1);
  EXPECT_FALSE(mesh.stages_cross_nodes());
  EXPECT_THAT(mesh.members(stage_ends, 15), ElementsAre(9, 15));
  EXPECT_THAT(mesh.members(stage_ends, 13), ElementsAre(13));
  EXPECT_TRUE(Mesh(of({.tensor = 2, .pipeline = 8}, 1, RankOrder::tensor_context_pipeline_data), 32, 8)
                  .stages_cross_nodes());
}

// Domains of 72: the group of ranks 64 to 79 has 8 on either side of a border; that of 64 to 127 has 8
// and 56.
TEST(Mesh, GroupsThatStraddleNodes) {
  expect_group(Mesh(of({.tensor = 16}), 144, 72).group(tensor), 16, 1, 8, 2);
  expect_group(Mesh(of({.expert = 64}), 576, 72).group(expert), 64, 1, 56, 2);
  expect_group(Mesh(of({.tensor = 3}), 24, 8).group(tensor), 3, 1, 2, 2);
}

TEST(Mesh, OneNodeHoldsAll) {
  const Mesh mesh(of({.tensor = 2, .pipeline = 2}), 8, 8);
  EXPECT_FALSE(mesh.stages_cross_nodes());
  expect_group(mesh.group(data), 2, 2, 2, 1);
  expect_group(mesh.group(pipeline), 2, 4, 2, 1);
}

TEST(Mesh, RefusesDegreesThatDoNotMultiplyOut) {
  const auto refusal = [](const Parallelism& parallelism, int ranks) {
    return message_of([&] { Mesh(parallelism, ranks, 8); });
  };
  EXPECT_EQ(
      refusal(of({.tensor = 8, .pipeline = 3}), 64),
      "strategy: found tensor 8 x pipeline 3 x context 1 = 24, expected a divisor of 64 devices; use 48 or "
      "72 devices, or other degrees");
  EXPECT_EQ(
      refusal(of({.tensor = 8, .pipeline = 3}), 16),
      "strategy: found tensor 8 x pipeline 3 x context 1 = 24, expected a divisor of 16 devices; use 24 "
      "devices, or smaller degrees");
  EXPECT_EQ(refusal(of({.tensor = 0}), 16), "tensor: found 0, expected at least 1");
  EXPECT_EQ(
      refusal(of({.tensor = 2}, 3), 16),
      "replicas: found 3, expected a divisor of the 8 data ranks: 16 devices / (tensor 2 x pipeline 1 x "
      "context 1); choose another number of replicas");
  EXPECT_EQ(
      refusal(of({.tensor = 2, .expert = 3}), 16),
      "expert: found 3, expected a divisor of the ranks of a stage: tensor 2 x context 1 x data 8 = 16; "
      "choose another degree");
}

TEST(Mesh, RefusesGroupsAtUnequalDistances) {
  const auto refusal = [](Degrees degrees) {
    return message_of([&] {
      (void)Mesh(of(degrees, 1, RankOrder::tensor_context_pipeline_data), 16, 8).group(expert_data);
    });
  };
  EXPECT_EQ(
      refusal({.pipeline = 2, .context = 2}),
      "rank_order: found \"tp-cp-pp-dp\" with context 2 x pipeline 2 x data 4, expected context 1, pipeline "
      "1 or data 1; use \"tp-cp-dp-pp\"");
  EXPECT_EQ(
      refusal({.tensor = 2, .pipeline = 2, .expert = 4}),
      "rank_order: found \"tp-cp-pp-dp\" with expert 4, expected expert = tensor 2 x context 1 = 2; use "
      "\"tp-cp-dp-pp\"");
  EXPECT_EQ(
      refusal({.tensor = 2, .pipeline = 2}),
      "rank_order: found \"tp-cp-pp-dp\" with expert 1 and tensor 2, expected expert 2, of a model with "
      "experts; use \"tp-cp-dp-pp\"");
}

}  // namespace
}  // namespace paceline
