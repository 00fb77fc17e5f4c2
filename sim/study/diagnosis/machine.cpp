#include "sim/study/diagnosis/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <variant>

#include "base/error.h"

namespace paceline {
namespace {

constexpr int largest_host = 16;  // GPUs in one host; a node with more is an NVLink domain of several hosts

// Letters and digits in lower case, without vendor and brand: "Tesla V100-SXM2-16GB" is "v100-sxm2-16gb".
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string brand : {"nvidia", "amd", "tesla", "geforce", "instinct"})
    if (result.starts_with(brand)) result.erase(0, brand.size());
  return result;
}

// What the log's lines say about the network; empty: nothing, or that sockets are in use, which may be the
// fault.
std::vector<std::string> fabrics_of(const NcclDebug& debug) {
  if (debug.provider.starts_with("efa")) return {"efa", "efa-v1", "efa-staged"};
  if (debug.provider.starts_with("cxi")) return {"slingshot"};
  if (debug.network.find("FasTrak") != std::string::npos) return {"tcpxo"};
  if (debug.network.find("TCPX") != std::string::npos) return {"tcpx"};
  for (const NcclNic& nic : debug.nics) {
    if (nic.kind == "IB") return {"infiniband"};
    if (nic.kind == "RoCE") return {"roce"};
  }
  return {};
}

bool same_rate(BytesPerSecond a, BytesPerSecond b) { return std::abs(a / b - 1) < 0.01; }

bool network_fits(const Cluster& cluster, const NcclDebug& debug) {
  if (!cluster.network) return false;
  const std::vector<std::string> fabrics = fabrics_of(debug);
  if (!fabrics.empty() && std::find(fabrics.begin(), fabrics.end(), cluster.network->fabric) == fabrics.end())
    return false;
  return std::none_of(debug.nics.begin(), debug.nics.end(), [&](const NcclNic& nic) {
    return nic.rate && !same_rate(*nic.rate, cluster.network->rate);
  });
}

// Keeps those for which `wanted` holds, unless that leaves none.
template <class Predicate>
void prefer(std::vector<Cluster>& clusters, Predicate wanted) {
  std::vector<Cluster> kept;
  std::copy_if(clusters.begin(), clusters.end(), std::back_inserter(kept), wanted);
  if (!kept.empty()) clusters = std::move(kept);
}

bool same_inside(const Cluster& a, const Cluster& b) {
  return a.device == b.device && a.interconnect.kind == b.interconnect.kind &&
         same_rate(a.interconnect.rate, b.interconnect.rate) &&
         a.interconnect.peer_to_peer == b.interconnect.peer_to_peer &&
         a.devices_per_node == b.devices_per_node;
}

// Apart from the shape of the network: two hosts do not tell it.
bool same_network(const Cluster& a, const Cluster& b) {
  return a.network && b.network && a.network->fabric == b.network->fabric &&
         a.network->nics == b.network->nics && same_rate(a.network->rate, b.network->rate);
}

std::string names_of(const std::vector<Cluster>& clusters) {
  std::vector<std::string> names;
  for (const Cluster& cluster : clusters) names.push_back(cluster.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

struct Wanted {
  std::string device, gpu;  // catalog's and driver's name
  int per_host = 0, hosts = 0;
};

std::string found_words(const Wanted& wanted) {
  return fmt::format("{} {} of {}x {}", wanted.hosts, wanted.hosts == 1 ? "host" : "hosts", wanted.per_host,
                     wanted.gpu);
}

std::vector<Cluster> candidates(const HardwareCatalog& catalog, const NcclDebug& debug,
                                const Wanted& wanted) {
  std::vector<Cluster> found;
  for (const std::string& name : catalog.cluster_names()) {
    const Cluster& cluster = catalog.cluster(name);
    if (cluster.device != wanted.device || cluster.devices_per_node < wanted.per_host) continue;
    if (wanted.hosts > 1 && !nvlink_domain(cluster) && !network_fits(cluster, debug)) continue;
    found.push_back(cluster);
  }
  prefer(found, [&](const Cluster& cluster) {
    return cluster.devices_per_node == wanted.per_host || nvlink_domain(cluster);
  });
  if (wanted.hosts > 1 && !debug.nics.empty() && !debug.variables.contains("NCCL_IB_HCA"))
    prefer(found, [&](const Cluster& cluster) {
      return cluster.network && cluster.network->nics == static_cast<int>(debug.nics.size());
    });
  // No log tells how the switches are joined: of clusters that differ in that only, the plain one is meant.
  std::stable_partition(found.begin(), found.end(), [](const Cluster& cluster) {
    return !cluster.network || std::holds_alternative<SingleSwitch>(cluster.network->shape);
  });
  return found;
}

Wanted wanted_of(const HardwareCatalog& catalog, const NcclTestsLog& log, const NcclTestsTable& table,
                 const MachineHints& hints) {
  const std::vector<std::string> names = table.device_names();
  if (names.empty())
    throw InputError(log.file, "a table without the list of devices",
                     "GPU names and hosts in the log, or a cluster",
                     "give --cluster (paceline list clusters), and --hosts if there are several");
  if (names.size() > 1)
    throw InputError(log.file, fmt::format("GPUs of {} kinds ({})", names.size(), fmt::join(names, ", ")),
                     "equal GPUs", "give the --cluster whose GPUs are the slower ones");
  const std::string device = device_named(catalog, names.front());
  if (device.empty())
    throw InputError(log.file, fmt::format("GPU \"{}\"", names.front()),
                     "a device of the catalog (paceline list devices)",
                     "give --cluster, or add the GPU to the catalog");
  return {device, names.front(), table.devices_per_host(), hints.hosts.value_or(table.hosts)};
}

}  // namespace

std::string device_named(const HardwareCatalog& catalog, const std::string& driver_name) {
  const std::string wanted = plain(driver_name);
  if (wanted.empty()) return "";
  for (const std::string& name : catalog.device_names()) {
    const Device& device = catalog.device(name);
    const auto is_it = [&](const std::string& other) { return plain(other) == wanted; };
    if (is_it(device.name) || is_it(device.title) ||
        std::any_of(device.aliases.begin(), device.aliases.end(), is_it))
      return name;
  }
  return "";
}

std::optional<int> nvlink_domain(const Cluster& cluster) {
  if (cluster.devices_per_node <= largest_host || cluster.interconnect.kind != InterconnectKind::nvswitch)
    return std::nullopt;
  return cluster.devices_per_node;
}

Machine find_machine(const HardwareCatalog& catalog, const NcclTestsLog& log, const NcclTestsTable& table,
                     const MachineHints& hints) {
  if (!hints.cluster.empty()) return {catalog.cluster(hints.cluster), {}};
  const Wanted wanted = wanted_of(catalog, log, table, hints);
  const std::vector<Cluster> found = candidates(catalog, log.debug, wanted);
  if (found.empty())
    throw InputError(log.file, found_words(wanted),
                     "a cluster of the catalog with such nodes and the log's network",
                     "give --cluster, or describe the machine in a file of scenarios/clusters");
  const Cluster& first = found.front();
  const bool one_node = wanted.hosts == 1 || (nvlink_domain(first) && table.ranks <= first.devices_per_node);
  const bool alike = std::all_of(found.begin(), found.end(), [&](const Cluster& other) {
    return same_inside(other, first) && (one_node || same_network(other, first));
  });
  if (!alike)
    throw InputError(log.file, found_words(wanted), "one cluster that fits: " + names_of(found),
                     fmt::format("say which with --cluster {}", first.name));
  Machine machine{first, {}};
  machine.notes.push_back(fmt::format("{}, as the log lists {}", first.name, found_words(wanted)));
  if (found.size() > 1)
    machine.notes.back() +=
        fmt::format("; {} {} are the same", one_node ? "inside a node" : "but for the shape of the network",
                    names_of(found));
  return machine;
}

NcclTestsImport import_options(const HardwareCatalog& catalog, const NcclTestsLog& log,
                               const MachineHints& hints) {
  NcclTestsImport options;
  options.collective = hints.collective;
  options.hosts = hints.hosts;
  if (!hints.cluster.empty()) {
    const Cluster& cluster = catalog.cluster(hints.cluster);
    options.device = cluster.device;
    options.domain = nvlink_domain(cluster);
    return options;
  }
  const std::vector<std::string> names = log.tables.front().device_names();
  if (names.size() == 1) options.device = device_named(catalog, names.front());
  for (const std::string& name : catalog.cluster_names())
    if (!options.device.empty() && catalog.cluster(name).device == options.device)
      options.domain = nvlink_domain(catalog.cluster(name));
  return options;
}

}  // namespace paceline
