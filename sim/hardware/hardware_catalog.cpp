#include "sim/hardware/hardware_catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sim/hardware/hardware_files.h"

namespace paceline {
namespace {

template <class Item>
const Item& find_named(const std::map<std::string, Item>& items,
                       const std::map<std::string, std::string>& aliases, const std::string& kind,
                       const std::string& name) {
  const auto alias = aliases.find(name);
  const auto found = items.find(alias == aliases.end() ? name : alias->second);
  if (found != items.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& item : items) known.push_back(item.first);
  for (const auto& item : aliases) known.push_back(item.first);
  const auto nearest = nearest_word(name, known);
  const bool listed = kind == "device" || kind == "cluster";
  const char* article = kind.starts_with('a') ? "an" : "a";
  throw InputError(kind, fmt::format("\"{}\"", name), fmt::format("{} {} of the catalog", article, kind),
                   nearest  ? fmt::format("did you mean \"{}\"?", *nearest)
                   : listed ? fmt::format("`paceline list {}s` shows them", kind)
                            : "add its file, or choose another device");
}

template <class Item>
std::vector<std::string> names_of(const std::map<std::string, Item>& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.first);
  return names;
}

template <class Item>
std::map<std::string, Item> by_name(const std::vector<Item>& items, const std::string& kind,
                                    std::map<std::string, std::string>* aliases) {
  std::map<std::string, Item> map;
  for (const Item& item : items) {
    if (!map.emplace(item.name, item).second)
      throw InputError(kind, fmt::format("\"{}\" twice", item.name), "one file a name", "rename one of them");
    if constexpr (requires { item.aliases; }) {
      for (const std::string& alias : item.aliases) {
        const auto [place, inserted] = aliases->emplace(alias, item.name);
        if (!inserted) {
          throw InputError(kind,
                           fmt::format("alias \"{}\" of \"{}\" and \"{}\"", alias, place->second, item.name),
                           "one owner an alias", "remove one of them");
        }
      }
    }
  }
  if constexpr (requires(Item item) { item.aliases; }) {
    for (const auto& [alias, name] : *aliases) {
      if (map.contains(alias))
        throw InputError(kind, fmt::format("alias \"{}\" of \"{}\"", alias, name), "no alias that is a name",
                         "remove it");
    }
  }
  return map;
}

}  // namespace

HardwareCatalog HardwareCatalog::load(const std::string& folder) {
  HardwareCatalog catalog;
  catalog.devices_ = by_name(read_devices(folder + "/devices"), "device", &catalog.device_aliases_);
  catalog.clusters_ = by_name(read_clusters(folder + "/clusters"), "cluster", &catalog.cluster_aliases_);
  catalog.architectures_ = by_name(read_architectures(folder + "/architectures"), "architecture", nullptr);
  catalog.links_ = by_name(read_links(folder + "/links"), "link", nullptr);
  catalog.fabrics_ = by_name(read_fabrics(folder + "/fabrics"), "fabric", nullptr);
  catalog.collectives_ = read_collective_constants(JsonValue::parse_file(folder + "/collectives/nccl.json"));
  catalog.dispatch_ = read_dispatch_rates(JsonValue::parse_file(folder + "/collectives/dispatch.json"));
  for (const auto& [name, architecture] : catalog.architectures_)
    if (!architecture.nvlink.empty()) static_cast<void>(catalog.link(architecture.nvlink));
  for (const DispatchRates::Domain& domain : catalog.dispatch_.domains)
    static_cast<void>(catalog.link(domain.link));
  for (const auto& [name, cluster] : catalog.clusters_) {
    static_cast<void>(catalog.device(cluster.device));
    if (cluster.network) static_cast<void>(catalog.fabric(cluster.network->fabric));
  }
  return catalog;
}

void HardwareCatalog::add_cluster(const Cluster& cluster) { clusters_[cluster.name] = cluster; }

const Device& HardwareCatalog::device(const std::string& name) const {
  return find_named(devices_, device_aliases_, "device", name);
}
const Cluster& HardwareCatalog::cluster(const std::string& name) const {
  return find_named(clusters_, cluster_aliases_, "cluster", name);
}
const Architecture& HardwareCatalog::architecture(const std::string& name) const {
  return find_named(architectures_, {}, "architecture", name);
}
const LinkConstants& HardwareCatalog::link(const std::string& name) const {
  return find_named(links_, {}, "link", name);
}
const FabricConstants& HardwareCatalog::fabric(const std::string& name) const {
  return find_named(fabrics_, {}, "fabric", name);
}
bool HardwareCatalog::has_device(const std::string& name) const {
  return devices_.contains(name) || device_aliases_.contains(name);
}
bool HardwareCatalog::has_cluster(const std::string& name) const {
  return clusters_.contains(name) || cluster_aliases_.contains(name);
}
const Cluster* HardwareCatalog::reference_system(const std::string& device) const {
  const auto found = std::find_if(clusters_.begin(), clusters_.end(), [&](const auto& item) {
    return item.second.reference_system && item.second.device == device;
  });
  return found == clusters_.end() ? nullptr : &found->second;
}

std::vector<std::string> HardwareCatalog::device_names() const { return names_of(devices_); }
std::vector<std::string> HardwareCatalog::cluster_names() const { return names_of(clusters_); }

}  // namespace paceline
