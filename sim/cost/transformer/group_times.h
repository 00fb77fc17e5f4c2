// Times of exchanges in the process groups of a mesh.
#pragma once

#include "sim/cost/collective_cost.h"
#include "sim/cost/transformer/pass.h"
#include "sim/strategy/mesh.h"

namespace paceline {

// The group as the laws of collectives see it. Groups that use a node's network at the same time each have
// their ranks' share of it.
[[nodiscard]] CollectiveGroup collective_group(const Mesh& mesh, GroupKind kind);

// Both must outlive it.
class GroupTimes {
 public:
  GroupTimes(const CollectiveCost& collectives, const Mesh& mesh)
      : collectives_(&collectives), mesh_(&mesh) {}

  // 0 for groups of one rank. `message` as nccl-tests counts it.
  [[nodiscard]] CollectiveTime of(CollectiveKind kind, Bytes message, GroupKind group) const;
  // Its own time where it has one, else that of the law times its factor.
  [[nodiscard]] CollectiveTime of(const Exchange& exchange) const;
  // One activation from a stage to the next; every rank of the stage sends at the same time.
  [[nodiscard]] CollectiveTime between_stages(Bytes message) const;

 private:
  // All groups of a node are on its network at the same time: one port may serve several of them.
  [[nodiscard]] CollectiveTime shared(CollectiveKind kind, Bytes message, const CollectiveGroup& group) const;

  const CollectiveCost* collectives_;
  const Mesh* mesh_;
};

}  // namespace paceline
