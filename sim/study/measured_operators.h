// "measured-ops-1": times of single operators, as measured on one machine that runs were measured on too.
#pragma once

#include <optional>
#include <string>

#include "sim/study/catalog.h"

namespace paceline {

// Share of the burst clock that matrix products keep on the slowest device of a node of such machines: the
// median over the file's products of 16 bit, by their time, of the time predicted at the burst clock over the
// measured one. By their time, since lists of light products run at the burst clock. Only products that the
// clock limits count. Nothing when the catalog has no rates of the device or none of the products is such.
// Throws InputError for another format.
[[nodiscard]] std::optional<double> sustained_clock_of(const Catalog& catalog, const std::string& device,
                                                       const std::string& file);

}  // namespace paceline
