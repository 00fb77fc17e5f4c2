// The files of scenarios/ that describe hardware, one reader a kind. Each reads every *.json of a folder in
// the order of names and throws InputError for what is wrong.
#pragma once

#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/device.h"

namespace paceline {

[[nodiscard]] std::vector<Device> read_devices(const std::string& folder);
[[nodiscard]] std::vector<Cluster> read_clusters(const std::string& folder);
[[nodiscard]] std::vector<Architecture> read_architectures(const std::string& folder);
[[nodiscard]] std::vector<LinkConstants> read_links(const std::string& folder);
[[nodiscard]] std::vector<FabricConstants> read_fabrics(const std::string& folder);

[[nodiscard]] Device read_device(const JsonValue& value);
[[nodiscard]] Cluster read_cluster(const JsonValue& value);

}  // namespace paceline
