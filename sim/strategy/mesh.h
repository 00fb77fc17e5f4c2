// Mesh: which ranks form which process group, and how a group lies over the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/strategy/parallelism.h"

namespace paceline {

enum class GroupKind : std::uint8_t {
  tensor,
  context,
  pipeline,
  data,         // data and context ranks: they reduce dense gradients together
  expert,       // all-to-all of tokens: neighbouring ranks of a stage, as of Megatron with expert tensor 1
  expert_data,  // ranks with the same experts: they reduce expert gradients together
  shards,       // of `data`: between which states are sharded (data / replicas)
  replicas,     // of `data`: that hold the same shard
  stage_ends,   // first and last stage: tied embeddings
  world
};
constexpr std::size_t group_kind_count = 10;
[[nodiscard]] std::string_view to_string(GroupKind kind);  // "tensor", "expert data", ...

// A group of `size` ranks, `stride` apart; member i of the group of rank r is first_of(r) + i * stride.
struct MeshGroup {
  int size = 1;
  int stride = 1;
  int per_node = 1;  // ranks of the group on one node, at most; of the group that lies over most nodes
  int spans = 0;     // nodes of that group; 0: as few as per_node allows
  [[nodiscard]] int nodes() const { return spans > 0 ? spans : (size + per_node - 1) / per_node; }
  // Of stage_ends with the order tp-cp-pp-dp, ask Mesh::members instead.
  [[nodiscard]] int first_of(int rank) const { return rank - rank / stride % size * stride; }
};

struct RankPlace {
  int tensor = 0, context = 0, data = 0, pipeline = 0;
};

class Mesh {
 public:
  // Throws InputError, with the arithmetic in the message, when the degrees do not multiply to a divisor of
  // `ranks`, replicas do not divide the data ranks, or expert ranks do not divide data * context * tensor;
  // with the order tp-cp-pp-dp and stages also where context and data ranks, or the ranks that share experts,
  // would not lie at equal distances (Megatron too wants expert = tensor * context then).
  Mesh(const Parallelism& parallelism, int ranks, int ranks_per_node);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int data() const { return data_; }  // without context
  [[nodiscard]] const Degrees& degrees() const { return degrees_; }
  // Throws InputError for expert_data where copies of experts would not lie at equal distances: with the
  // order tp-cp-pp-dp, stages, and no expert but tensor ranks.
  [[nodiscard]] MeshGroup group(GroupKind kind) const;
  // The ranks of the group of `rank`; of stage_ends, of a rank in between, itself alone.
  [[nodiscard]] std::vector<int> members(GroupKind kind, int rank) const;
  [[nodiscard]] RankPlace place(int rank) const;
  [[nodiscard]] int rank_of(const RankPlace& place) const;
  [[nodiscard]] int first_rank_of_stage(int stage) const;
  [[nodiscard]] int stage_stride() const;         // from a rank to the same rank of the next stage
  [[nodiscard]] bool stages_cross_nodes() const;  // neighbouring stages stand on different nodes

 private:
  Degrees degrees_;
  RankOrder order_;
  int ranks_, per_node_, data_ = 1, replicas_;

  void check_expert_ranks() const;
  void check_equal_distances() const;
  [[nodiscard]] bool stages_between_data() const;  // data ranks lie further apart than stages
  [[nodiscard]] MeshGroup data_shape() const;
  [[nodiscard]] MeshGroup expert_data_shape() const;
  [[nodiscard]] MeshGroup shape_of(GroupKind kind) const;  // size and stride
  [[nodiscard]] MeshGroup worst_of(GroupKind kind, MeshGroup group) const;
};

}  // namespace paceline
