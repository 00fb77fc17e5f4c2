#include "sim/cost/transformer/group_times.h"

#include <algorithm>

namespace paceline {

CollectiveGroup collective_group(const Mesh& mesh, GroupKind kind) {
  const MeshGroup group = mesh.group(kind);
  return {group.size, std::max(1, std::min(group.size, group.per_node))};
}

CollectiveTime GroupTimes::shared(CollectiveKind kind, Bytes message, const CollectiveGroup& group) const {
  CollectiveTime time = collectives_->collective(kind, message, group);
  const Cluster& cluster = collectives_->cluster();
  if (group.nodes() < 2 || !cluster.network) return time;
  const double ports = static_cast<double>(cluster.network->nics) * group.per_node / cluster.devices_per_node;
  if (ports < 1) time.rate = time.rate * ports;
  return time;
}

CollectiveTime GroupTimes::of(CollectiveKind kind, Bytes message, GroupKind group) const {
  return shared(kind, message, collective_group(*mesh_, group));
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
  return shared(CollectiveKind::send_receive, message, pair);
}

}  // namespace paceline
