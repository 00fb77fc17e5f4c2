// Hardware by name, read from scenarios/: devices/, architectures/, clusters/, links/, fabrics/,
// collectives/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/hardware/collective_constants.h"
#include "sim/hardware/device.h"
#include "sim/hardware/dispatch_rates.h"

namespace paceline {

class HardwareCatalog {
 public:
  // `folder` holds the subfolders. Throws InputError for a broken file, an unknown reference or a name given
  // twice.
  static HardwareCatalog load(const std::string& folder);

  // Adds or replaces one, for machines that are described elsewhere.
  void add_cluster(const Cluster& cluster);

  // Each throws InputError that names the nearest known one.
  [[nodiscard]] const Device& device(const std::string& name) const;
  [[nodiscard]] const Cluster& cluster(const std::string& name) const;
  [[nodiscard]] const Architecture& architecture(const std::string& name) const;
  [[nodiscard]] const LinkConstants& link(const std::string& name) const;
  [[nodiscard]] const FabricConstants& fabric(const std::string& name) const;
  [[nodiscard]] const CollectiveConstants& collectives() const { return collectives_; }
  [[nodiscard]] const DispatchRates& dispatch() const { return dispatch_; }

  // The cluster that a file calls the vendor's own system of the device; null if none does.
  [[nodiscard]] const Cluster* reference_system(const std::string& device) const;

  [[nodiscard]] bool has_device(const std::string& name) const;
  [[nodiscard]] bool has_architecture(const std::string& name) const { return architectures_.contains(name); }
  [[nodiscard]] bool has_cluster(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> device_names() const;  // sorted, without aliases
  [[nodiscard]] std::vector<std::string> cluster_names() const;

 private:
  std::map<std::string, Device> devices_;
  std::map<std::string, Cluster> clusters_;
  std::map<std::string, Architecture> architectures_;
  std::map<std::string, LinkConstants> links_;
  std::map<std::string, FabricConstants> fabrics_;
  CollectiveConstants collectives_;
  DispatchRates dispatch_;
  std::map<std::string, std::string> device_aliases_, cluster_aliases_;
};

}  // namespace paceline
