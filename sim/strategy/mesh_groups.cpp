#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "base/error.h"
#include "sim/strategy/mesh.h"

namespace paceline {
namespace {

// How one group lies: nodes, and the most ranks on one of them. `members` rise.
MeshGroup lie_of(const std::vector<int>& members, int ranks_per_node) {
  MeshGroup lie{.per_node = 0};
  int on_this = 0, node = -1;
  for (const int rank : members) {
    if (rank / ranks_per_node != node) {
      node = rank / ranks_per_node;
      on_this = 0;
      ++lie.spans;
    }
    lie.per_node = std::max(lie.per_node, ++on_this);
  }
  return lie;
}

}  // namespace

std::string_view to_string(GroupKind kind) {
  static constexpr std::array<std::string_view, group_kind_count> names{
      "tensor",      "context", "pipeline", "data",       "expert",
      "expert data", "shards",  "replicas", "stage ends", "world"};
  return names.at(static_cast<std::size_t>(kind));
}

MeshGroup Mesh::data_shape() const {
  const int stride = degrees_.tensor * (stages_between_data() ? degrees_.pipeline : 1);
  return {.size = degrees_.context * data_, .stride = stride};
}

MeshGroup Mesh::expert_data_shape() const {
  const int stage = degrees_.tensor * degrees_.context * data_;
  if (stages_between_data() && degrees_.expert == 1 && degrees_.tensor > 1)
    throw InputError(
        "rank_order", fmt::format("\"tp-cp-pp-dp\" with expert 1 and tensor {}", degrees_.tensor),
        fmt::format("expert {}, of a model with experts", degrees_.tensor), "use \"tp-cp-dp-pp\"");
  const int stages_between = stages_between_data() ? degrees_.pipeline : 1;
  return {.size = stage / degrees_.expert, .stride = degrees_.expert * stages_between};
}

MeshGroup Mesh::shape_of(GroupKind kind) const {
  const MeshGroup data = data_shape();
  switch (kind) {
    case GroupKind::tensor:
      return {.size = degrees_.tensor, .stride = 1};
    case GroupKind::context:
      return {.size = degrees_.context, .stride = degrees_.tensor};
    case GroupKind::pipeline:
      return {.size = degrees_.pipeline, .stride = stage_stride()};
    case GroupKind::data:
      return data;
    case GroupKind::expert:
      return {.size = degrees_.expert, .stride = 1};
    case GroupKind::expert_data:
      return expert_data_shape();
    case GroupKind::shards:
      return {.size = data.size / replicas_, .stride = data.stride};
    case GroupKind::replicas:
      return {.size = replicas_, .stride = data.size / replicas_ * data.stride};
    case GroupKind::stage_ends:
      return {.size = std::min(degrees_.pipeline, 2),
              .stride = std::max(degrees_.pipeline - 1, 1) * stage_stride()};
    case GroupKind::world:
      return {.size = ranks_, .stride = 1};
  }
  return {};
}

MeshGroup Mesh::group(GroupKind kind) const {
  MeshGroup group = shape_of(kind);
  const std::int64_t block = std::int64_t{group.size} * group.stride;
  const bool regular = kind != GroupKind::stage_ends;
  if (group.size == 1 || ranks_ <= per_node_ || (regular && per_node_ % block == 0)) {
    group.per_node = group.size;
    group.spans = 1;
  } else if (group.stride >= per_node_) {
    group.spans = group.size;
  } else if (regular && per_node_ % group.stride == 0 && block % per_node_ == 0) {
    group.per_node = per_node_ / group.stride;
    group.spans = static_cast<int>(block / per_node_);
  } else {
    return worst_of(kind, group);
  }
  return group;
}

// Groups that do not end where nodes end: looks at each until the picture repeats.
MeshGroup Mesh::worst_of(GroupKind kind, MeshGroup group) const {
  const std::int64_t block = kind == GroupKind::stage_ends ? std::int64_t{degrees_.pipeline} * stage_stride()
                                                           : std::int64_t{group.size} * group.stride;
  const auto last = std::min<std::int64_t>(ranks_, std::lcm(block, std::int64_t{per_node_}));
  group.per_node = 0;
  for (int rank = 0; rank < last; ++rank) {
    const std::vector<int> ranks = members(kind, rank);
    if (ranks.front() != rank) continue;
    const MeshGroup lie = lie_of(ranks, per_node_);
    if (lie.spans > group.spans) group.per_node = 0;
    if (lie.spans >= group.spans) group.per_node = std::max(group.per_node, lie.per_node);
    group.spans = std::max(group.spans, lie.spans);
  }
  return group;
}

std::vector<int> Mesh::members(GroupKind kind, int rank) const {
  if (kind == GroupKind::stage_ends) {
    RankPlace end = place(rank);
    const int last = degrees_.pipeline - 1;
    if (last == 0 || (end.pipeline > 0 && end.pipeline < last)) return {rank};
    end.pipeline = 0;
    const int first = rank_of(end);
    return {first, first + last * stage_stride()};
  }
  const MeshGroup group = shape_of(kind);
  std::vector<int> ranks(static_cast<std::size_t>(group.size));
  for (int member = 0; member < group.size; ++member)
    ranks[static_cast<std::size_t>(member)] = group.first_of(rank) + member * group.stride;
  return ranks;
}

}  // namespace paceline
