#include "sim/cost/transformer/group_times.h"

#include <algorithm>

namespace paceline {

CollectiveGroup collective_group(const Mesh& mesh, GroupKind kind) {
  const MeshGroup group = mesh.group(kind);
  return {group.size, std::max(1, std::min(group.size, group.per_node))};
}

CollectiveTime GroupTimes::of(CollectiveKind kind, Bytes message, GroupKind group) const {
  return collectives_->collective(kind, message, collective_group(*mesh_, group));
}

CollectiveTime GroupTimes::of(const Exchange& exchange) const {
  if (exchange.time) {
    CollectiveTime time;
    time.latency = *exchange.time * exchange.factor;
    time.algorithm = "point-to-point";
    return time;
  }
  CollectiveTime time = of(exchange.kind, exchange.message, exchange.group);
  time.latency = time.latency * exchange.factor;
  time.rate = time.rate / exchange.factor;
  return time;
}

CollectiveTime GroupTimes::between_stages(Bytes message) const {
  const CollectiveGroup pair{2, mesh_->stages_cross_nodes() ? 1 : 2};
  return collectives_->collective(CollectiveKind::send_receive, message, pair);
}

}  // namespace paceline
