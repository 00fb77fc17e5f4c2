// How the model of a published row is split over devices: degrees, schedule, sharding, mixtures of experts.
#pragma once

#include <string>

#include "base/json_reader.h"
#include "sim/strategy/framework.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// Fills strategy.parallel and the overlap of gradients; returns why the row cannot be asked, or nothing.
// `strategy.kind` is settled. `layers`: of the model, 0 if not stated.
[[nodiscard]] std::string fill_published_parallelism(const JsonValue& row, const Framework& framework,
                                                     std::int64_t layers, Strategy& strategy);

// Needs the rules of a framework that splits transformers.
[[nodiscard]] bool splits_transformer(const Strategy& strategy);

// Virtual stages where a publication that interleaves does not say how many: the largest usual number that
// divides the layers of a stage.
[[nodiscard]] int usual_virtual_stages(std::int64_t layers, int pipeline);

}  // namespace paceline
