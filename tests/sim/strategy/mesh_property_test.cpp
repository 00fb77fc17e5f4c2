// What holds for every mesh.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/strategy/mesh.h"

namespace paceline {
namespace {

struct RandomMesh {
  Parallelism parallelism;
  int ranks = 1, per_node = 1;
};

RandomMesh random_mesh() {
  RandomMesh random;
  const auto factor = [] { return *rc::gen::inRange(1, 5); };
  Parallelism& parallelism = random.parallelism;
  Degrees& degrees = parallelism.degrees;
  degrees = {.tensor = factor(), .pipeline = factor(), .context = factor()};
  parallelism.replicas = factor();
  const int data = parallelism.replicas * factor();
  random.ranks = degrees.model() * data;
  random.per_node = *rc::gen::inRange(1, 20);
  degrees.expert = degrees.tensor * degrees.context;
  if (*rc::gen::arbitrary<bool>()) {
    parallelism.order = RankOrder::tensor_context_pipeline_data;
    if (degrees.pipeline > 1 && data > 1) {
      random.ranks /= degrees.context;
      degrees.context = 1;
      degrees.expert = degrees.tensor;
    }
  } else {
    degrees.expert *= *rc::gen::inRange(0, 2) * (data - 1) + 1;
  }
  return random;
}

RC_GTEST_PROP(Mesh, RankOfItsPlaceIsTheRank, ()) {
  const RandomMesh random = random_mesh();
  const Mesh mesh(random.parallelism, random.ranks, random.per_node);
  for (int rank = 0; rank < random.ranks; ++rank) {
    const RankPlace place = mesh.place(rank);
    RC_ASSERT(mesh.rank_of(place) == rank);
    RC_ASSERT(place.pipeline < mesh.degrees().pipeline && place.data < mesh.data());
  }
}

RC_GTEST_PROP(Mesh, GroupsPartitionTheRanks, ()) {
  const RandomMesh random = random_mesh();
  const Mesh mesh(random.parallelism, random.ranks, random.per_node);
  for (std::size_t kind = 0; kind < group_kind_count; ++kind) {
    std::set<std::vector<int>> groups;
    for (int rank = 0; rank < random.ranks; ++rank)
      groups.insert(mesh.members(static_cast<GroupKind>(kind), rank));
    std::vector<int> times(static_cast<std::size_t>(random.ranks));
    for (const auto& group : groups)
      for (const int rank : group) ++times.at(static_cast<std::size_t>(rank));
    RC_ASSERT(std::all_of(times.begin(), times.end(), [](int each) { return each == 1; }));
  }
}

// Size, nodes and ranks per node are those of the group that lies over most nodes.
RC_GTEST_PROP(Mesh, GroupsLieAsTheirMembersDo, ()) {
  const RandomMesh random = random_mesh();
  const Mesh mesh(random.parallelism, random.ranks, random.per_node);
  for (std::size_t index = 0; index < group_kind_count; ++index) {
    const auto kind = static_cast<GroupKind>(index);
    const MeshGroup group = mesh.group(kind);
    int nodes = 0, most = 0;
    for (int rank = 0; rank < random.ranks; ++rank) {
      std::map<int, int> on_node;
      for (const int member : mesh.members(kind, rank)) ++on_node[member / random.per_node];
      int fullest = 0;
      for (const auto& [node, count] : on_node) fullest = std::max(fullest, count);
      const int spanned = static_cast<int>(on_node.size());
      most = spanned > nodes ? fullest : spanned == nodes ? std::max(most, fullest) : most;
      nodes = std::max(nodes, spanned);
    }
    RC_ASSERT(group.nodes() == nodes);
    RC_ASSERT(group.per_node == most);
  }
}

// A rank's neighbour stage is stage_stride away; dense gradients are reduced within a stage.
RC_GTEST_PROP(Mesh, DataRanksHaveTheSameStage, ()) {
  const RandomMesh random = random_mesh();
  const Mesh mesh(random.parallelism, random.ranks, random.per_node);
  const int rank = *rc::gen::inRange(0, random.ranks);
  const RankPlace place = mesh.place(rank);
  for (const int member : mesh.members(GroupKind::data, rank)) {
    RC_ASSERT(mesh.place(member).pipeline == place.pipeline);
    RC_ASSERT(mesh.place(member).tensor == place.tensor);
  }
  RC_ASSERT(mesh.place(mesh.first_rank_of_stage(place.pipeline)).pipeline == place.pipeline);
  if (place.pipeline > 0) RC_ASSERT(mesh.place(rank - mesh.stage_stride()).pipeline == place.pipeline - 1);
}

}  // namespace
}  // namespace paceline
