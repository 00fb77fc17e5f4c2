#include "sim/study/collective_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "base/text.h"

namespace paceline {
namespace {

// "H100-SXM5-80GB (DGX H100)": without what stands in brackets, with ever fewer parts, until the catalog
// knows the name.
const Device* device_of(const Catalog& catalog, const std::string& gpu) {
  std::string name = lower_case(gpu.substr(0, gpu.find('(')));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  std::replace(name.begin(), name.end(), ' ', '-');
  while (!name.empty()) {
    if (catalog.hardware.has_device(name)) return &catalog.hardware.device(name);
    const std::size_t part = name.rfind('-');
    name = part == std::string::npos ? "" : name.substr(0, part);
  }
  return nullptr;
}

// The number that ends before or starts at a place, as in "7x64 GB/s".
double number_at(const std::string& text, std::size_t at) { return std::strtod(text.c_str() + at, nullptr); }

// "7x76.5 GB/s/dir" -> 535.5; 0 when no such product stands there.
double product_of_rates(const std::string& words) {
  const std::size_t unit = words.find("gb/s/dir");
  if (unit == std::string::npos) return 0;
  const std::size_t times = words.rfind('x', unit);
  if (times == std::string::npos || times == 0) return 0;
  std::size_t first = times;
  while (first > 0 && std::isdigit(static_cast<unsigned char>(words[first - 1])) != 0) --first;
  return number_at(words, first) * number_at(words, times + 1);
}

Interconnect slots(const std::string& words, const Device& device) {
  Interconnect inter;
  int generation = device.pcie_generation;
  for (const int stated : {3, 4, 5})
    if (contains(words, fmt::format("pcie{}", stated))) generation = stated;
  inter.kind = InterconnectKind::pcie;
  inter.rate = pcie_rate(generation, device.pcie_lanes);
  inter.peer_to_peer = device.pcie_peer_access && !contains(words, "no p2p");
  const bool one_tree = contains(words, "behind switches") || contains(words, "two switches") ||
                        contains(words, "one cpu") || contains(words, "same socket");
  inter.devices_per_root = one_tree ? 1024 : generation >= 4 ? 2 : 4;
  if (contains(words, "different sockets") || contains(words, "across two sockets"))
    inter.devices_per_root = 1;
  return inter;
}

std::optional<Interconnect> inside_of(const std::string& words, const Device& device, int devices) {
  Interconnect inter;
  const bool nvlink = device.nvlink.has_value();
  const BytesPerSecond links = nvlink ? device.nvlink->rate * device.nvlink->links : BytesPerSecond(0);
  if (contains(words, "cube mesh") && nvlink) {
    inter.kind = InterconnectKind::nvlink_cube_mesh;
    inter.rate = device.nvlink->rate;
  } else if (contains(words, "bridge")) {
    inter.kind = InterconnectKind::nvlink_bridge;
    const double stated = product_of_rates(words);
    inter.rate = stated > 0 ? gigabytes_per_second(stated) : links;
  } else if ((contains(words, "all-to-all") || contains(words, "4-gpu board")) && nvlink) {
    inter.kind = InterconnectKind::nvlink_mesh;
    inter.rate = links;
  } else if ((contains(words, "nvswitch") || contains(words, "nvlink")) && nvlink &&
             !contains(words, "no nvlink")) {
    inter.kind = InterconnectKind::nvswitch;
    inter.rate = links;
  } else if (contains(words, "infinity fabric")) {
    inter.kind = InterconnectKind::xgmi_mesh;
    inter.rate = gigabytes_per_second(product_of_rates(words));
  } else if (contains(words, "pcie") || devices == 1) {
    return slots(words, device);
  } else {
    return std::nullopt;
  }
  if (inter.rate <= BytesPerSecond(0)) return std::nullopt;
  return inter;
}

// "infiniband", "roce", ... by the transport's name; EFA by what GPUDirect does on the node's generation.
std::optional<std::string> fabric_of(const std::string& words, const Device& device) {
  if (contains(words, "efa")) {
    const bool staged =
        contains(words, "no gpudirect") || contains(words, "g4dn") || device.compute_capability < 80;
    return staged ? "efa-staged" : device.compute_capability < 90 ? "efa-v1" : "efa";
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{{"tcpxo", "tcpxo"},
                                                                                {"tcpx", "tcpx"},
                                                                                {"infiniband", "infiniband"},
                                                                                {"roce", "roce"},
                                                                                {"slingshot", "slingshot"},
                                                                                {"gpudirect-tcp", "tcpxo"}}};
  for (const auto& [word, fabric] : known)
    if (contains(words, word)) return std::string(fabric);
  return std::nullopt;
}

// "8x 2x100 Gb/s": sixteen ports of 100; "2 of 8x 400 Gb/s": two of 400.
struct Ports {
  int count = 0;
  double gigabits = 0;
};
Ports ports_of(const std::string& words) {
  const std::size_t unit = words.find("gb/s");
  if (unit == std::string::npos || unit == 0) return {};
  std::size_t from = unit;
  while (from > 0 && (std::isdigit(static_cast<unsigned char>(words[from - 1])) != 0 ||
                      words[from - 1] == '.' || words[from - 1] == ' ' || words[from - 1] == 'x'))
    --from;
  Ports ports{1, 0};
  std::string factors = words.substr(from, unit - from);
  std::size_t at = 0;
  std::vector<double> numbers;
  while (at < factors.size()) {
    if (std::isdigit(static_cast<unsigned char>(factors[at])) == 0) {
      ++at;
      continue;
    }
    char* end = nullptr;
    numbers.push_back(std::strtod(factors.c_str() + at, &end));
    at = static_cast<std::size_t>(end - factors.c_str());
  }
  if (numbers.size() < 2) return {};
  ports.gigabits = numbers.back();
  for (std::size_t index = 0; index + 1 < numbers.size(); ++index)
    ports.count *= static_cast<int>(numbers[index]);
  if (const std::size_t of = words.find(" of "); of != std::string::npos && of < unit)
    ports.count = static_cast<int>(number_at(words, 0));
  return ports;
}

// Hosts that one NVLink domain joins: racks of 72 devices, or what the words say.
int hosts_of_domain(const std::string& words, const MachineWords& machine) {
  if (!contains(words, "nvl72")) return 1;
  if (contains(words, "single nvlink domain")) return machine.hosts;
  return std::max(1, machine.hosts / 2);  // two racks
}

}  // namespace

std::variant<Cluster, std::string> collective_machine(const Catalog& catalog, const MachineWords& machine) {
  const Device* device = device_of(catalog, machine.gpu);
  if (!device) return fmt::format("device \"{}\" is not in the catalog", machine.gpu);
  const std::string inside = lower_case(machine.inside), outside = lower_case(machine.network);
  const auto inter = inside_of(inside, *device, machine.devices_per_host);
  if (!inter) return fmt::format("the links inside a node are not known: \"{}\"", machine.inside);
  const int hosts = hosts_of_domain(inside, machine);
  Cluster cluster;
  cluster.name = fmt::format("{}: {} / {}", machine.gpu, machine.inside, machine.network);
  cluster.title = cluster.name;
  cluster.device = device->name;
  cluster.devices_per_node = machine.devices_per_host * hosts;
  cluster.interconnect = *inter;
  if (machine.ranks > cluster.devices_per_node) {
    const auto fabric = fabric_of(outside, *device);
    const Ports ports = ports_of(outside);
    if (!fabric || ports.count < 1 || !(ports.gigabits > 0))
      return fmt::format("rate or transport of the network is not stated: \"{}\"", machine.network);
    cluster.network = Network{*fabric, ports.count * hosts, BytesPerSecond(ports.gigabits * 1e9 / 8)};
    cluster.max_nodes = 1 << 20;
  }
  return cluster;
}

}  // namespace paceline
