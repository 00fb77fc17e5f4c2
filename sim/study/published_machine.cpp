#include "sim/study/published_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "sim/study/published_fields.h"

namespace paceline {
namespace {

// From the words that publications use: "nvlink2-hybrid-cube-mesh", "nvswitch2", "nvlink2x2", "pcie3 (...)".
std::optional<Interconnect> interconnect_of(const std::string& words, const Device& device, int devices) {
  Interconnect inter;
  const bool nvlink = device.nvlink.has_value();
  const BytesPerSecond all_links = nvlink ? device.nvlink->rate * device.nvlink->links : BytesPerSecond(0);
  const bool off = contains(words, "P2P_DISABLE") || contains(words, "host memory");
  if (contains(words, "cube-mesh") && nvlink) {
    inter.kind = InterconnectKind::nvlink_cube_mesh;
    inter.rate = device.nvlink->rate;
  } else if ((contains(words, "nvswitch") || contains(words, "nvl72")) && nvlink) {
    inter.kind = InterconnectKind::nvswitch;
    inter.rate = all_links;
  } else if ((contains(words, "bridge") || contains(words, "nvlink2x2")) && nvlink &&
             !contains(words, "not stated")) {
    inter.kind = InterconnectKind::nvlink_bridge;
    inter.rate = all_links;
  } else if (contains(words, "nvlink") && nvlink && !contains(words, "pcie")) {
    inter.kind = InterconnectKind::nvlink_cube_mesh;
    inter.rate = device.nvlink->rate;
  } else if (contains(words, "pcie") || devices == 1) {
    inter.kind = InterconnectKind::pcie;
    inter.rate = pcie_rate(device.pcie_generation, device.pcie_lanes);
    inter.peer_to_peer = device.pcie_peer_access && !off;
    inter.devices_per_root = device.pcie_generation >= 4 ? 2 : 4;
  } else {
    return std::nullopt;
  }
  return inter;
}

std::optional<std::string> fabric_of(const std::string& words) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{{{"ib-", "infiniband"},
                                                                                {"infiniband", "infiniband"},
                                                                                {"roce", "roce"},
                                                                                {"efa-400", "efa-v1"},
                                                                                {"efa", "efa"},
                                                                                {"slingshot", "slingshot"},
                                                                                {"ethernet", "ethernet-tcp"},
                                                                                {"tcp", "ethernet-tcp"}}};
  for (const auto& [word, fabric] : known)
    if (contains(words, word)) return std::string(fabric);
  return std::nullopt;
}

}  // namespace

std::variant<Cluster, std::string> published_machine(const Catalog& catalog, JsonObject system) {
  const std::string gpu = text_of(system, "gpu");
  if (!catalog.hardware.has_device(gpu)) return fmt::format("device \"{}\" is not in the catalog", gpu);
  const Device& device = catalog.hardware.device(gpu);
  Cluster cluster;
  const int gpus = count_of(system, "gpus", 0);
  if (gpus == 0) return std::string("the number of GPUs is not stated");
  const int nodes = count_of(system, "nodes", 1);
  const int per_node = count_of(system, "gpus_per_node", (gpus + nodes - 1) / nodes);
  const std::string intra = text_of(system, "intra");
  const auto inter = interconnect_of(intra, device, per_node);
  if (!inter) return fmt::format("the links inside a node are not known: \"{}\"", intra);
  cluster.device = device.name;
  cluster.devices_per_node = per_node;
  cluster.interconnect = *inter;
  if (gpus > per_node) {
    const std::string words = text_of(system, "inter");
    const auto fabric = fabric_of(words);
    const auto rate = system.optional("inter_gbps_per_node");
    if (!fabric || !rate) return fmt::format("the network between nodes is not known: \"{}\"", words);
    cluster.network = Network{*fabric, 1, BytesPerSecond(rate->number(0.001, 1e6) * 1e9 / 8)};
    cluster.max_nodes = 1 << 20;
  }
  cluster.name = fmt::format(
      "{}:{}:{}x{}:{}", gpu, intra, (gpus + per_node - 1) / per_node, per_node,
      text_of(system, "inter") + (cluster.network ? to_string(cluster.network->rate) : std::string()));
  cluster.title = cluster.name;
  return cluster;
}

}  // namespace paceline
