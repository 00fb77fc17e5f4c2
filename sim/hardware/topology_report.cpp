#include "sim/hardware/topology_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/hardware/fabric.h"
#include "sim/hardware/topology.h"

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

struct ShapeWords {
  std::string operator()(const SingleSwitch&) const { return "every node reaches every other at full rate"; }
  std::string operator()(const LeafSpine& shape) const {
    return fmt::format("leaf-spine, {} hosts a leaf, oversubscription {:g}", shape.hosts_per_leaf,
                       shape.oversubscription);
  }
  std::string operator()(const RailOptimized& shape) const {
    return fmt::format("rail-optimized, a leaf for each NIC of {} hosts, oversubscription {:g}",
                       shape.hosts_per_leaf, shape.oversubscription);
  }
  std::string operator()(const FatTree& shape) const {
    return fmt::format("fat tree, {} hosts an edge switch, {} of them a pod, oversubscription {:g} and {:g}",
                       shape.hosts_per_edge, shape.edges_per_pod, shape.edge_oversubscription,
                       shape.pod_oversubscription);
  }
  std::string operator()(const Dragonfly& shape) const {
    return fmt::format("dragonfly, {} groups of {} routers of {} hosts, {} global links of {} a router",
                       shape.groups, shape.routers_per_group, shape.hosts_per_router, shape.global_links,
                       to_string(shape.link_rate));
  }
};

std::string network_words(const Network& network) {
  return fmt::format("{} NICs of {} a node, {}; {}", network.nics, to_string(network.rate), network.fabric,
                     std::visit(ShapeWords{}, network.shape));
}

// The vertex's name without its number.
std::string word_of(const Vertex& vertex) {
  const std::string word = vertex.name.substr(0, vertex.name.find_first_of("0123456789"));
  return word.ends_with(' ') ? word.substr(0, word.size() - 1) : word;
}

// NV2 for two direct links, as nvidia-smi; else the class.
std::string word_of(const Topology& topology, const Path& path) {
  if (path.path_class != PathClass::nvl)
    return path.path_class == PathClass::loc ? "X" : to_string(path.path_class);
  int count = 1 << 20;
  for (const std::size_t link : path.links) count = std::min(count, topology.links()[link].count);
  return fmt::format("NV{}", count);
}

constexpr std::size_t most_shown = 16;  // devices, and NICs: more do not fit a screen

std::vector<std::size_t> shown(const std::vector<std::size_t>& all, const char* what, std::string& note) {
  if (all.size() <= most_shown) return all;
  note += fmt::format("{}the first {} of {} {}", note.empty() ? "" : ", ", most_shown, all.size(), what);
  return {all.begin(), all.begin() + most_shown};
}

void add_paths(const Topology& topology, TopologyReport& report, Json& json) {
  std::vector<std::size_t> ends = shown(topology.devices(0), "devices", report.paths_note);
  for (const std::size_t nic : shown(topology.nics(0), "NICs", report.paths_note)) ends.push_back(nic);
  report.paths.columns.push_back({"", false});
  json["ends"] = Json::array();
  json["paths"] = Json::array();
  for (const std::size_t from : ends) {
    const std::string& name = topology.vertices()[from].name;
    report.paths.columns.push_back({name, false});
    json["ends"].push_back(name);
    const std::vector<Path> paths = topology.paths(from);
    std::vector<std::string> row{name};
    Json row_json = Json::array();
    for (const std::size_t to : ends) {
      row.push_back(word_of(topology, paths[to]));
      row_json.push_back({{"class", to_string(paths[to].path_class)},
                          {"links", paths[to].links.size()},
                          {"bytes_per_s", paths[to].bandwidth.value()}});
    }
    report.paths.rows.push_back(std::move(row));
    json["paths"].push_back(std::move(row_json));
  }
}

void add_links(const Topology& topology, TopologyReport& report, Json& json) {
  report.links.columns = {{"links", false}, {"between", false}, {"number"}, {"parallel"}, {"rate, one way"}};
  struct Group {
    std::size_t first = 0;
    int number = 0;
  };
  using Key = std::tuple<LinkKind, VertexKind, VertexKind, int, double>;
  std::map<Key, Group> groups;
  for (std::size_t index = 0; index < topology.links().size(); ++index) {
    const Link& link = topology.links()[index];
    const auto& vertices = topology.vertices();
    Group& group =
        groups[{link.kind, vertices[link.a].kind, vertices[link.b].kind, link.count, link.rate.value()}];
    if (group.number++ == 0) group.first = index;
  }
  json["links"] = Json::array();
  for (const auto& [key, group] : groups) {
    const auto& [kind, a, b, count, rate] = key;
    const Link& first = topology.links()[group.first];
    const std::string between =
        fmt::format("{} - {}", word_of(topology.vertices()[first.a]), word_of(topology.vertices()[first.b]));
    report.links.rows.push_back({to_string(kind), between, std::to_string(group.number),
                                 std::to_string(count), to_string(BytesPerSecond(rate))});
    json["links"].push_back({{"kind", to_string(kind)},
                             {"between", between},
                             {"number", group.number},
                             {"parallel", count},
                             {"bytes_per_s", rate}});
  }
}

std::string remark(const GroupLink& link) {
  if (link.efficiency < 1) return fmt::format("hops over a device, x {:g}", link.efficiency);
  if (link.host_staged) return "through host memory";
  if (link.cap.value() > 0) return fmt::format("at most {} between root complexes", to_string(link.cap));
  return "";
}

// The first sixteen numbers of devices, the boxes that whole dimensions of a torus make, and all.
std::vector<int> group_sizes(const Cluster& cluster) {
  std::vector<int> sizes;
  for (int devices = 2; devices <= cluster.devices_per_node; ++devices) {
    const Torus box = leading_box(cluster.interconnect.torus, devices);
    const bool whole = !box.empty() && box.back().size == cluster.interconnect.torus[box.size() - 1].size;
    const bool few = cluster.interconnect.torus.empty() && devices <= static_cast<int>(most_shown);
    if (few || whole || devices == cluster.devices_per_node) sizes.push_back(devices);
  }
  return sizes;
}

// Numbers of devices whose row would repeat the one before are left out.
void add_rings(const Cluster& cluster, const Device& device, TopologyReport& report, Json& json) {
  report.rings.columns = {{"devices, from"}, {"rings"}, {"rate of a device"}, {"", false}};
  json["rings"] = Json::array();
  std::vector<std::string> before;
  for (const int devices : group_sizes(cluster)) {
    const GroupLink link = group_link(cluster, device, devices);
    std::vector<std::string> row{std::to_string(link.rings), to_string(link.raw), remark(link)};
    if (row == before) continue;
    before = row;
    json["rings"].push_back({{"devices", devices},
                             {"rings", link.rings},
                             {"bytes_per_s", link.raw.value()},
                             {"efficiency", link.efficiency},
                             {"cap_bytes_per_s", link.cap.value()}});
    row.insert(row.begin(), std::to_string(devices));
    report.rings.rows.push_back(std::move(row));
  }
}

void add_shares(const Cluster& cluster, int nodes, TopologyReport& report, Json& json) {
  constexpr std::array<std::pair<Traffic, const char*>, 4> patterns{
      {{Traffic::ring, "ring"},
       {Traffic::tree, "tree"},
       {Traffic::all_to_all, "all-to-all"},
       {Traffic::rail_aligned, "rail by rail"}}};
  report.shares.columns = {{"traffic", false}, {"share of the NICs"}, {"rate of a node"}};
  for (const auto& [traffic, name] : patterns) {
    const double share = fabric_share(cluster, nodes, traffic);
    const BytesPerSecond rate = cluster.network->rate * cluster.network->nics * share;
    report.shares.rows.push_back({name, fmt::format("{:.3g}", share), to_string(rate)});
    json["shares"].push_back({{"traffic", name}, {"share", share}, {"bytes_per_s", rate.value()}});
  }
}

}  // namespace

TopologyReport topology_report(const Cluster& cluster, const Device& device, int nodes) {
  const Topology topology(cluster, device, nodes);
  TopologyReport report;
  report.title = fmt::format("{}: {}, {} node{}", cluster.name, cluster.title, nodes, nodes == 1 ? "" : "s");
  Json json{{"format", "paceline/topology-1"},
            {"cluster", cluster.name},
            {"device", cluster.device},
            {"devices_per_node", cluster.devices_per_node},
            {"nodes", nodes}};
  if (cluster.network) json["network"] = report.network = network_words(*cluster.network);
  add_paths(topology, report, json);
  add_links(topology, report, json);
  add_rings(cluster, device, report, json);
  if (nodes > 1) add_shares(cluster, nodes, report, json);
  report.json = json.dump(1) + "\n";
  return report;
}

}  // namespace paceline
