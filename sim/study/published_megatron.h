// "published-training-1": fully described runs of Megatron-LM on one machine, with what its kernels reach.
#pragma once

#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/published.h"

namespace paceline {

// `path`: of the file, beside which its table of kernels stands.
[[nodiscard]] std::vector<PublishedRow> read_megatron_runs(const Catalog& catalog, JsonObject& file,
                                                           const std::string& path);

}  // namespace paceline
