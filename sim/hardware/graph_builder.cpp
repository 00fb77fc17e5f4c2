#include "sim/hardware/graph_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/hardware/topology.h"

namespace paceline {
namespace {

// Position `index` of `count` things dealt out to `places` in order, evenly.
std::size_t place_of(int index, int count, std::size_t places) {
  return static_cast<std::size_t>(index) * places / static_cast<std::size_t>(count);
}

std::string device_word(const Device& device) {
  if (device.architecture == "tpu") return "TPU";
  return device.vendor == "NVIDIA" || device.vendor == "AMD" ? "GPU" : "device ";
}

}  // namespace

std::size_t TopologyBuilder::add(VertexKind kind, const std::string& name, int node, int socket) {
  topology_.vertices_.push_back({kind, name, node, socket});
  topology_.links_of_.emplace_back();
  return topology_.vertices_.size() - 1;
}

void TopologyBuilder::link(LinkKind kind, std::size_t a, std::size_t b, BytesPerSecond rate, int count) {
  topology_.links_.push_back({kind, a, b, rate, count});
  topology_.links_of_[a].push_back(topology_.links_.size() - 1);
  topology_.links_of_[b].push_back(topology_.links_.size() - 1);
}

void TopologyBuilder::add_node(int node) {
  add_roots(node);
  add_devices(node);
  add_direct_links(node);
  add_nics(node);
}

// A socket has one root complex, or as many as keep devices_per_root devices below each. All reach all others
// over the CPU interconnect. The hosts of a torus are not described.
void TopologyBuilder::add_roots(int node) {
  roots_.clear();
  const Interconnect& inter = cluster_.interconnect;
  if (inter.kind == InterconnectKind::torus) return;
  int count = cluster_.host.sockets;
  if (inter.kind == InterconnectKind::pcie) {
    const int per_root = std::min(inter.devices_per_root, cluster_.devices_per_node);
    count = std::max(count, (cluster_.devices_per_node + per_root - 1) / per_root);
  }
  for (int root = 0; root < count; ++root) {
    const auto socket = place_of(root, count, static_cast<std::size_t>(cluster_.host.sockets));
    roots_.push_back(
        add(VertexKind::root_complex, fmt::format("CPU{}", root), node, static_cast<int>(socket)));
    for (int other = 0; other < root; ++other) {
      link(LinkKind::cpu, roots_[static_cast<std::size_t>(other)], roots_.back(),
           between_roots(inter, device_));
    }
  }
}

void TopologyBuilder::add_devices(int node) {
  devices_.clear();
  switches_.clear();
  const int count = cluster_.devices_per_node, per_switch = cluster_.host.devices_per_switch;
  const BytesPerSecond slot = pcie_rate(device_.pcie_generation, device_.pcie_lanes);
  for (int device = 0; device < count; ++device) {
    devices_.push_back(add(VertexKind::device, fmt::format("{}{}", device_word(device_), device), node));
    if (roots_.empty()) continue;
    const bool pcie = cluster_.interconnect.kind == InterconnectKind::pcie;
    const std::size_t root =
        pcie && cluster_.interconnect.devices_per_root < count
            ? roots_[std::min(static_cast<std::size_t>(device / cluster_.interconnect.devices_per_root),
                              roots_.size() - 1)]
            : roots_[place_of(device, count, roots_.size())];
    if (per_switch > 0 && device % per_switch == 0) {
      const std::string name = fmt::format("PCIe switch {}", device / per_switch);
      switches_.push_back(add(VertexKind::pcie_switch, name, node));
      link(LinkKind::pcie, switches_.back(), root, slot);
    }
    link(LinkKind::pcie, devices_.back(), per_switch > 0 ? switches_.back() : root, slot);
    if (cluster_.host.c2c.value() > 0) link(LinkKind::c2c, devices_.back(), root, cluster_.host.c2c);
  }
}

// NICs are dealt out to the devices in order, and stand in a slot beside them: below the same switch or root
// complex, or at the device itself where no host is described.
void TopologyBuilder::add_nics(int node) {
  nics_.emplace_back();
  if (!cluster_.network) return;
  const BytesPerSecond slot = pcie_rate(device_.pcie_generation, 16);
  for (int nic = 0; nic < cluster_.network->nics; ++nic) {
    const auto device = place_of(nic, cluster_.network->nics, devices_.size());
    nics_.back().push_back(add(VertexKind::nic, fmt::format("NIC{}", nic), node));
    link(LinkKind::pcie, nics_.back().back(), above(static_cast<int>(device)), slot);
  }
}

std::size_t TopologyBuilder::above(int device) const {
  for (const std::size_t at : topology_.links_of_[devices_[static_cast<std::size_t>(device)]]) {
    const Link& candidate = topology_.links_[at];
    if (candidate.kind == LinkKind::pcie) return candidate.b;  // links go from the device up
  }
  return devices_[static_cast<std::size_t>(device)];
}

void TopologyBuilder::add_direct_links(int node) {
  const Interconnect& inter = cluster_.interconnect;
  const auto n = static_cast<std::size_t>(cluster_.devices_per_node);
  const int links = device_.nvlink ? device_.nvlink->links : 1;
  switch (inter.kind) {
    case InterconnectKind::pcie:
      return;
    case InterconnectKind::torus:
      add_torus();
      return;
    case InterconnectKind::nvswitch: {
      const std::size_t nvswitch = add(VertexKind::nv_switch, "NVSwitch", node);
      for (const std::size_t device : devices_) link(LinkKind::nvlink, device, nvswitch, inter.rate, links);
      return;
    }
    case InterconnectKind::nvlink_bridge:
      for (std::size_t device = 0; device + 1 < n; device += 2)
        link(LinkKind::nvlink, devices_[device], devices_[device + 1], inter.rate, links);
      return;
    case InterconnectKind::nvlink_cube_mesh:
      add_mesh(inter.links.empty() ? cube_mesh_links() : inter.links.counts(),
               mesh_link_rate(inter, inter.links), LinkKind::nvlink);
      return;
    case InterconnectKind::nvlink_mesh:
    case InterconnectKind::xgmi_mesh:
      break;
  }
  const LinkKind kind = inter.kind == InterconnectKind::xgmi_mesh ? LinkKind::xgmi : LinkKind::nvlink;
  if (!inter.links.empty()) {
    add_mesh(inter.links.counts(), mesh_link_rate(inter, inter.links), kind);
  } else if (n > 1) {  // the device's links in equal parts to all others
    const int others = cluster_.devices_per_node - 1;
    const int each = links % others == 0 ? links / others : 1;
    add_mesh(LinkCounts(n, std::vector<int>(n, each)), inter.rate / (others * each), kind);
  }
}

void TopologyBuilder::add_mesh(const LinkCounts& counts, BytesPerSecond rate, LinkKind kind) {
  for (std::size_t a = 0; a < devices_.size(); ++a)
    for (std::size_t b = 0; b < a && a < counts.size(); ++b)
      if (counts[a][b] > 0) link(kind, devices_[b], devices_[a], rate * counts[a][b], counts[a][b]);
}

void TopologyBuilder::add_torus() {
  std::size_t stride = 1;
  for (const TorusDimension& dimension : cluster_.interconnect.torus) {
    const auto size = static_cast<std::size_t>(dimension.size);
    for (std::size_t device = 0; device < devices_.size(); ++device) {
      const std::size_t at = device / stride % size;
      if (at + 1 < size) link(LinkKind::ici, devices_[device], devices_[device + stride], dimension.rate);
      if (at + 1 == size && dimension.wrap && size > 2)
        link(LinkKind::ici, devices_[device], devices_[device - at * stride], dimension.rate);
    }
    stride *= size;
  }
}

}  // namespace paceline
