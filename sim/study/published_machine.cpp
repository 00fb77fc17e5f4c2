#include "sim/study/published_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

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

std::optional<std::string> fabric_of(const std::string& words, double gigabits) {
  // No constants are measured for Omni-Path: it counts as InfiniBand, as in the catalog's clusters.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> known{{{"ib-", "infiniband"},
                                                                                {"opa-", "infiniband"},
                                                                                {"infiniband", "infiniband"},
                                                                                {"roce", "roce"},
                                                                                {"efa-400", "efa-v1"},
                                                                                {"efa", "efa"},
                                                                                {"slingshot", "slingshot"},
                                                                                {"ethernet", "ethernet-tcp"},
                                                                                {"tcp", "ethernet-tcp"}}};
  // What Ethernet carries beyond this goes past the processors' sockets, whatever the publication calls it.
  constexpr double sockets = 100;
  if (contains(words, "ethernet") && gigabits > sockets && !contains(words, "tcp")) return "roce";
  for (const auto& [word, fabric] : known)
    if (contains(words, word)) return std::string(fabric);
  return std::nullopt;
}

bool is_unstated(const std::string& words) { return words.empty() || contains(words, "not stated"); }

// "ib-ndr-8x400": eight. Without a count, one for each device where that is at least what a NIC has.
int nics_of(const std::string& words, double gigabits, int devices) {
  constexpr double usual = 100;  // Gb/s of one NIC
  const std::size_t times = words.rfind('x');
  if (times != std::string::npos && times > 0 &&
      std::isdigit(static_cast<unsigned char>(words[times - 1])) != 0) {
    std::size_t first = times;
    while (first > 0 && std::isdigit(static_cast<unsigned char>(words[first - 1])) != 0) --first;
    const double count = std::strtod(words.c_str() + first, nullptr);
    const double each = std::strtod(words.c_str() + times + 1, nullptr);
    if (count >= 1 && std::abs(count * each - gigabits) <= 0.01 * gigabits) return static_cast<int>(count);
  }
  return gigabits >= usual * devices ? devices : 1;
}

// Of a publication that leaves the network out, what the vendor's own system has, as much for each device.
std::optional<Network> network_of(JsonObject& system, const Cluster* usual, int devices) {
  const std::string words = text_of(system, "inter");
  const auto rate = system.optional("inter_gbps_per_node");
  const auto fabric = fabric_of(words, rate && rate->is_number() ? rate->number() : 0);
  if (fabric && rate) {
    const double gigabits = rate->number(0.001, 1e6);
    const int nics = nics_of(words, gigabits, devices);
    return Network{*fabric, nics, BytesPerSecond(gigabits * 1e9 / 8 / nics)};
  }
  if (!is_unstated(words) || !usual || !usual->network) return std::nullopt;
  Network network = *usual->network;
  network.nics = std::max(1, network.nics * devices / usual->devices_per_node);
  return network;
}

// Of an NVLink domain of a rack, whatever the publication counts as a node.
int devices_of_node(const std::string& intra, int gpus, int stated) {
  constexpr int rack = 72;
  return contains(intra, "nvl72") && gpus <= rack ? gpus : stated;
}

}  // namespace

const Device* published_device(const Catalog& catalog, std::string name) {
  name = lower_case(name);
  if (catalog.hardware.has_device(name)) return &catalog.hardware.device(name);
  const std::size_t form = name.rfind("-sxm");
  if (form == std::string::npos || !catalog.hardware.has_device(name.substr(0, form))) return nullptr;
  return &catalog.hardware.device(name.substr(0, form));
}

std::variant<Cluster, std::string> published_machine(const Catalog& catalog, JsonObject system) {
  const std::string gpu = text_of(system, "gpu");
  const Device* device = published_device(catalog, gpu);
  if (!device) return fmt::format("device \"{}\" is not in the catalog", gpu);
  Cluster cluster;
  const int gpus = count_of(system, "gpus", 0);
  if (gpus == 0) return std::string("the number of GPUs is not stated");
  const int nodes = count_of(system, "nodes", 1);
  const std::string intra =
      system.optional("intra") ? text_of(system, "intra") : lower_case(text_of(system, "interconnect"));
  const int stated =
      count_of(system, "gpus_per_node", count_of(system, "per_node", (gpus + nodes - 1) / nodes));
  const int per_node = devices_of_node(intra, gpus, stated);
  const Cluster* usual = catalog.hardware.reference_system(device->name);
  auto inside = interconnect_of(intra, *device, per_node);
  if (!inside && intra == "not stated" && usual) inside = usual->interconnect;
  if (!inside) return fmt::format("the links inside a node are not known: \"{}\"", intra);
  cluster.device = device->name;
  cluster.devices_per_node = per_node;
  cluster.interconnect = *inside;
  if (gpus > per_node) {
    cluster.network = network_of(system, usual, per_node);
    if (!cluster.network)
      return fmt::format("the network between nodes is not known: \"{}\"", text_of(system, "inter"));
    cluster.max_nodes = 1 << 20;
  }
  cluster.name = fmt::format(
      "{}:{}:{}x{}:{}", gpu, intra, (gpus + per_node - 1) / per_node, per_node,
      text_of(system, "inter") + (cluster.network ? to_string(cluster.network->rate) : std::string()));
  cluster.title = cluster.name;
  return cluster;
}

}  // namespace paceline
