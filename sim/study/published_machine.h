// The machine that a published row describes, as a Cluster of the catalog's devices.
#pragma once

#include <string>
#include <variant>

#include "base/json_reader.h"
#include "sim/study/catalog.h"

namespace paceline {

// The device that a publication means: "B200-SXM" is the catalog's b200. Null if it has none.
[[nodiscard]] const Device* published_device(const Catalog& catalog, std::string name);

// The cluster, or the reason why the description does not determine one.
[[nodiscard]] std::variant<Cluster, std::string> published_machine(const Catalog& catalog, JsonObject system);

}  // namespace paceline
