#include "sim/hardware/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "sim/hardware/dragonfly.h"
#include "sim/hardware/fabric_flows.h"

namespace paceline {
namespace {

// Switches of one level of a tree of switches: nodes of consecutive numbers below each.
struct Level {
  int hosts = 1;
  double uplinks = 1;  // rate of the uplinks of one switch over the NICs of one node
};

std::size_t switch_of(int node, const Level& level) { return static_cast<std::size_t>(node / level.hosts); }
std::size_t switch_count(const std::vector<int>& nodes, const Level& level) {
  return switch_of(*std::max_element(nodes.begin(), nodes.end()), level) + 1;
}

double sparse_share(const std::vector<int>& nodes, const std::vector<Flow>& flows, const Level& level) {
  std::vector<double> out(switch_count(nodes, level), 0), in(out);
  for (const Flow& flow : flows) {
    const std::size_t from = switch_of(flow.from, level), to = switch_of(flow.to, level);
    if (from == to) continue;
    out[from] += flow.amount;
    in[to] += flow.amount;
  }
  const double load =
      std::max(*std::max_element(out.begin(), out.end()), *std::max_element(in.begin(), in.end()));
  return load > 0 ? std::min(1.0, level.uplinks / load) : 1;
}

// Of a switch with k of N nodes below it, k (N-k)/(N-1) leaves when every node sends 1 to the others in equal
// parts. With a switch per rail, only 1/rails of what stays among the k nodes stays below the switch.
double dense_share(const std::vector<int>& nodes, const Level& level, int rails) {
  std::vector<int> below(switch_count(nodes, level), 0);
  for (const int node : nodes) ++below[switch_of(node, level)];
  const double others = static_cast<double>(nodes.size()) - 1;
  double share = 1;
  for (const int count : below) {
    const double load = count * (1 - (count - 1) / others / rails);
    if (load > 0) share = std::min(share, level.uplinks / load);
  }
  return share;
}

std::vector<Level> levels_of(const FabricShape& shape) {
  if (const auto* leaves = std::get_if<LeafSpine>(&shape))
    return {{leaves->hosts_per_leaf, leaves->hosts_per_leaf / leaves->oversubscription}};
  // Per rail: a leaf carries one NIC of each of its nodes, and so do its uplinks.
  if (const auto* rails = std::get_if<RailOptimized>(&shape))
    return {{rails->hosts_per_leaf, rails->hosts_per_leaf / rails->oversubscription}};
  if (const auto* tree = std::get_if<FatTree>(&shape)) {
    const int pod = tree->hosts_per_edge * tree->edges_per_pod;
    return {{tree->hosts_per_edge, tree->hosts_per_edge / tree->edge_oversubscription},
            {pod, pod / (tree->edge_oversubscription * tree->pod_oversubscription)}};
  }
  return {};
}

void expect_places(const Dragonfly& shape, const std::vector<int>& nodes) {
  const int places = shape.groups * shape.routers_per_group * shape.hosts_per_router;
  const int last = *std::max_element(nodes.begin(), nodes.end());
  if (last < places) return;
  throw InputError("nodes", std::to_string(last + 1), fmt::format("at most {}", places),
                   "the dragonfly has no more places; choose fewer nodes");
}

}  // namespace

double fabric_share(const Cluster& cluster, const std::vector<int>& nodes, Traffic traffic) {
  if (!cluster.network || nodes.size() < 2) return 1;
  const Network& network = *cluster.network;
  const bool sparse = traffic == Traffic::ring || traffic == Traffic::tree;
  const std::vector<Flow> flows = sparse ? sparse_flows(nodes, traffic) : std::vector<Flow>{};
  if (const auto* dragonfly = std::get_if<Dragonfly>(&network.shape)) {
    expect_places(*dragonfly, nodes);
    const double link = dragonfly->link_rate / (network.rate * network.nics);
    return sparse ? dragonfly_share(*dragonfly, flows, link)
                  : dragonfly_all_to_all_share(*dragonfly, nodes, link);
  }
  const bool crosses_rails =
      traffic == Traffic::all_to_all && std::holds_alternative<RailOptimized>(network.shape);
  double share = 1;
  for (const Level& level : levels_of(network.shape)) {
    share = std::min(share, sparse ? sparse_share(nodes, flows, level)
                                   : dense_share(nodes, level, crosses_rails ? network.nics : 1));
  }
  return share;
}

double fabric_share(const Cluster& cluster, int nodes, Traffic traffic) {
  std::vector<int> first(static_cast<std::size_t>(std::max(nodes, 0)));
  std::iota(first.begin(), first.end(), 0);
  return fabric_share(cluster, first, traffic);
}

}  // namespace paceline
