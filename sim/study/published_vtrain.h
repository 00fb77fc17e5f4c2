// "published-training-vtrain-1": iterations of GPT models that differ in shape and layout only.
#pragma once

#include <vector>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/published.h"

namespace paceline {

[[nodiscard]] std::vector<PublishedRow> read_vtrain_runs(const Catalog& catalog, JsonObject& file);

}  // namespace paceline
