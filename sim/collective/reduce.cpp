#include "sim/collective/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/collective/laws.h"
#include "sim/hardware/fabric.h"
#include "sim/hardware/topology.h"

namespace paceline {
namespace {

constexpr const char* sockets = "ethernet-tcp";  // what is left without RDMA

bool uses_slots(const Cluster& cluster, int local) {
  return cluster.interconnect.kind == InterconnectKind::pcie ||
         (cluster.interconnect.kind == InterconnectKind::nvlink_bridge && local > 2);
}

// Channels that hide the steps: those of the link inside a node, fewer between nodes.
double channels_of(const GroupTerms& terms, const Cluster& cluster, int rings, int most_between_nodes,
                   const CollectiveSettings& settings) {
  double count = terms.link.channels;
  if (cluster.interconnect.kind == InterconnectKind::nvlink_cube_mesh) count = 2.0 * rings;
  if (terms.nodes > 1) count = std::min<double>(count, most_between_nodes);
  if (settings.max_channels) count = std::min<double>(count, *settings.max_channels);
  if (settings.min_channels) count = std::max<double>(count, *settings.min_channels);
  return count;
}

void add_inside(GroupTerms& terms, const HardwareCatalog& catalog, Cluster cluster, int local,
                const CollectiveSettings& settings) {
  const Device& device = catalog.device(cluster.device);
  if (!settings.peer_to_peer) {
    // Without peer access NVLink is not used either: everything goes through host memory.
    cluster.interconnect.kind = InterconnectKind::pcie;
    cluster.interconnect.rate = pcie_rate(device.pcie_generation, device.pcie_lanes);
    cluster.interconnect.peer_to_peer = false;
  }
  const GroupLink path = group_link(cluster, device, std::max(local, 1));
  terms.link = inner_link(catalog, cluster, local);
  terms.raw = path.raw.value() * path.efficiency;
  terms.host_staged = path.host_staged;
  const double share = path.host_staged ? terms.link.host_staged_efficiency : terms.link.efficiency;
  terms.rate = share * terms.raw;
  const double peer =
      path.host_staged || !(terms.link.peer_efficiency > 0) ? share : terms.link.peer_efficiency;
  terms.peer_rate = peer * terms.raw;
  if (path.cap.value() > 0) {
    terms.rate = std::min(terms.rate, path.cap.value());
    terms.peer_rate = std::min(terms.peer_rate, path.cap.value());
  }
  terms.channels = channels_of(terms, cluster, path.rings, catalog.collectives().node_channels, settings);
}

void add_network(GroupTerms& terms, const HardwareCatalog& catalog, const Cluster& cluster, int local,
                 const CollectiveSettings& settings) {
  if (!cluster.network) {
    throw InputError("devices",
                     fmt::format("{:.0f} on {:.0f} nodes of {}", terms.n, terms.nodes, cluster.name),
                     "a cluster with a network between its nodes", "choose a cluster with a network");
  }
  terms.fabric = catalog.fabric(settings.rdma ? cluster.network->fabric : sockets);
  terms.wire = cluster.network->rate.value() * group_nics(cluster, local);
  terms.network = terms.fabric.efficiency * terms.wire;
  if (terms.fabric.node_limit.value() > 0)
    terms.network = std::min(terms.network, terms.fabric.node_limit.value());
  if (!std::holds_alternative<SingleSwitch>(cluster.network->shape)) {
    const int nodes = static_cast<int>(terms.nodes);
    terms.ring_share = fabric_share(cluster, nodes, Traffic::ring);
    terms.tree_share = fabric_share(cluster, nodes, Traffic::tree);
    terms.peer_share = fabric_share(cluster, nodes, Traffic::all_to_all);
  }
  terms.nic = std::min(terms.network, terms.fabric.efficiency * cluster.network->rate.value());
  const Device& device = catalog.device(cluster.device);
  // NICs read a device's memory through its slot, unless they sit beside it on the CPU's own link.
  if (!(cluster.host.c2c.value() > 0) && device.pcie_lanes > 0) {
    const double slot = pcie_rate(device.pcie_generation, device.pcie_lanes).value() * local;
    terms.network = std::min(terms.network, catalog.collectives().slot_share * slot);
    terms.nic = std::min(terms.nic, catalog.collectives().slot_share * slot / local);
  }
}

}  // namespace

const LinkConstants& slot_link(const HardwareCatalog& catalog, const Cluster& cluster) {
  const Device& device = catalog.device(cluster.device);
  const bool known = catalog.has_architecture(device.architecture);
  return catalog.link(known ? catalog.architecture(device.architecture).pcie : "pcie");
}

const LinkConstants& inner_link(const HardwareCatalog& catalog, const Cluster& cluster, int local) {
  if (uses_slots(cluster, local)) return slot_link(catalog, cluster);
  if (cluster.interconnect.kind == InterconnectKind::nvlink_bridge) return catalog.link("nvlink-bridge");
  if (cluster.interconnect.kind == InterconnectKind::xgmi_mesh) return catalog.link("xgmi");
  const Device& device = catalog.device(cluster.device);
  const bool known = catalog.has_architecture(device.architecture);
  const std::string name = known ? catalog.architecture(device.architecture).nvlink : std::string();
  if (name.empty()) {
    throw InputError("cluster", fmt::format("\"{}\" with NVLink", cluster.name),
                     fmt::format("link constants for {}", device.title), "choose another cluster");
  }
  return catalog.link(name);
}

CollectiveConstants::Class collective_class(const Cluster& cluster, const GroupTerms& terms) {
  if (terms.nodes > 1)
    return terms.fabric.verbs ? CollectiveConstants::rdma_nodes : CollectiveConstants::other_nodes;
  const InterconnectKind kind = cluster.interconnect.kind;
  const bool all_links = kind == InterconnectKind::nvswitch || kind == InterconnectKind::nvlink_mesh;
  return all_links ? CollectiveConstants::switched : CollectiveConstants::single_node;
}

int group_nics(const Cluster& cluster, int local) {
  if (!cluster.network) return 0;
  const double share = static_cast<double>(local) / cluster.devices_per_node;
  return std::clamp(static_cast<int>(std::lround(cluster.network->nics * share)), 1, cluster.network->nics);
}

GroupTerms group_terms(const HardwareCatalog& catalog, const Cluster& cluster, CollectiveKind kind,
                       const CollectiveGroup& group, const CollectiveSettings& settings) {
  GroupTerms terms;
  const int local = std::max(1, std::min(group.ranks, group.per_node));
  terms.kind = kind;
  terms.n = group.ranks;
  terms.nodes = group.nodes();
  terms.local = local;
  terms.steps = ring_steps(kind, terms.n);
  terms.inter_steps = terms.nodes > 1 ? ring_steps(kind, terms.nodes) : 0;
  terms.depth = std::floor(std::log2(terms.nodes));
  const bool adds = kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter ||
                    kind == CollectiveKind::reduce;
  if (adds && size_of(settings.type) == Bytes(1)) terms.work = catalog.collectives().byte_arithmetic;
  add_inside(terms, catalog, cluster, local, settings);
  if (group.nodes() > 1) add_network(terms, catalog, cluster, local, settings);
  return terms;
}

GroupTerms sized(GroupTerms terms, Bytes bytes) {
  terms.size = bytes.value();
  terms.volume = ring_volume(terms.kind, terms.n, terms.size);
  return terms;
}

NcclMachine nccl_machine(const HardwareCatalog& catalog, const Cluster& cluster, const CollectiveGroup& group,
                         const GroupTerms& terms) {
  const Device& device = catalog.device(cluster.device);
  NcclMachine machine;
  const int local = static_cast<int>(terms.local);
  machine.compute_capability = device.compute_capability;
  machine.ranks = group.ranks;
  machine.nodes = group.nodes();
  machine.nvlink = !uses_slots(cluster, local) && !terms.host_staged;
  machine.nvswitch = machine.nvlink && cluster.interconnect.kind == InterconnectKind::nvswitch;
  machine.amd_cpu = cluster.host.amd;
  if (machine.nvlink) {
    const double link = nccl_nvlink_rate(device.compute_capability);
    machine.path = machine.device = link * (device.nvlink ? device.nvlink->links : 1);
    if (cluster.interconnect.kind == InterconnectKind::nvlink_cube_mesh) {
      machine.rings = group_link(cluster, device, local).rings;
      machine.path = link;
    }
  } else {
    machine.path = machine.device = nccl_pcie_rate(device.pcie_generation, device.pcie_lanes);
    if (local > cluster.interconnect.devices_per_root)
      machine.path = std::min(machine.path, nccl_processor_rate(cluster.host.amd, device.pcie_generation));
  }
  machine.ll128 = terms.link.ll128_step.has_value();
  machine.nvls_hardware =
      machine.nvswitch && device.compute_capability >= 90 && terms.link.nvls_efficiency > 0;
  if (machine.nodes > 1) {
    machine.nics = group_nics(cluster, local);
    machine.nic = cluster.network->rate.value() / 1e9;
    if (terms.fabric.joins_nics && machine.nics > local) {
      machine.nic *= static_cast<double>(machine.nics) / local;
      machine.nics = local;
    }
  }
  return machine;
}

}  // namespace paceline
