#include "sim/hardware/cluster_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

std::string text(BytesPerSecond rate) { return fmt::format("{:.10g}GB/s", rate.value() * 1e-9); }

Json torus_json(const Torus& torus) {
  Json json = Json::array();
  for (const TorusDimension& dimension : torus) {
    json.push_back({{"size", dimension.size}, {"rate", text(dimension.rate)}});
    if (dimension.size > 2) json.back()["wrap"] = dimension.wrap;
  }
  return json;
}

Json interconnect_json(const Interconnect& inter) {
  Json json{{"kind", to_string(inter.kind)}, {"rate", text(inter.rate)}};
  if (inter.kind == InterconnectKind::pcie) {
    json["peer_to_peer"] = inter.peer_to_peer;
    json["devices_per_root"] = inter.devices_per_root;
    if (inter.between_roots.value() > 0) json["between_roots"] = text(inter.between_roots);
  }
  if (!inter.links.empty()) json["links"] = inter.links.counts();
  if (!inter.torus.empty()) json["dimensions"] = torus_json(inter.torus);
  return json;
}

struct ShapeJson {
  Json operator()(const SingleSwitch&) const { return {{"kind", "single-switch"}}; }
  Json operator()(const LeafSpine& shape) const {
    return {{"kind", "leaf-spine"},
            {"hosts_per_leaf", shape.hosts_per_leaf},
            {"oversubscription", shape.oversubscription}};
  }
  Json operator()(const RailOptimized& shape) const {
    return {{"kind", "rail-optimized"},
            {"hosts_per_leaf", shape.hosts_per_leaf},
            {"oversubscription", shape.oversubscription}};
  }
  Json operator()(const FatTree& shape) const {
    return {{"kind", "fat-tree"},
            {"hosts_per_edge", shape.hosts_per_edge},
            {"edges_per_pod", shape.edges_per_pod},
            {"edge_oversubscription", shape.edge_oversubscription},
            {"pod_oversubscription", shape.pod_oversubscription}};
  }
  Json operator()(const Dragonfly& shape) const {
    return {{"kind", "dragonfly"},
            {"groups", shape.groups},
            {"routers_per_group", shape.routers_per_group},
            {"hosts_per_router", shape.hosts_per_router},
            {"global_links", shape.global_links},
            {"link_rate", text(shape.link_rate)}};
  }
};

}  // namespace

std::string cluster_json(const Cluster& cluster, const Device& device) {
  Json json{{"format", "paceline/cluster-1"}, {"name", cluster.name}, {"title", cluster.title}};
  if (!cluster.aliases.empty()) json["aliases"] = cluster.aliases;
  json["device"] = cluster.device;
  json["devices_per_node"] = cluster.devices_per_node;
  json["interconnect"] = interconnect_json(cluster.interconnect);
  json["pcie"] = {{"generation", device.pcie_generation}};
  if (cluster.host.devices_per_switch > 0)
    json["pcie"]["devices_per_switch"] = cluster.host.devices_per_switch;
  json["host"] = {{"sockets", cluster.host.sockets}};
  if (cluster.host.amd) json["host"]["cpu"] = "amd";
  if (cluster.host.arm) json["host"]["cpu"] = "arm";
  if (cluster.host.c2c.value() > 0) json["host"]["c2c"] = text(cluster.host.c2c);
  if (cluster.network) {
    json["network"] = {{"fabric", cluster.network->fabric},
                       {"nics", cluster.network->nics},
                       {"rate", text(cluster.network->rate)}};
    if (!std::holds_alternative<SingleSwitch>(cluster.network->shape))
      json["network"]["shape"] = std::visit(ShapeJson{}, cluster.network->shape);
  }
  json["max_nodes"] = cluster.max_nodes;
  if (cluster.reference_system) json["reference_system"] = true;
  json["source"] = cluster.source;
  return json.dump(1) + "\n";
}

}  // namespace paceline
