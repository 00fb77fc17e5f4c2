// The strategy that a published row describes, in the words of its publication.
#pragma once

#include <string>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline {

// Fills the scenario from the row's strategy; returns why it cannot be asked, or nothing. `family`: of the
// model, as the publication calls it ("cnn", "bert").
[[nodiscard]] std::string fill_published_strategy(const Catalog& catalog, const JsonValue& row,
                                                  const std::string& family, Scenario& scenario);

}  // namespace paceline
