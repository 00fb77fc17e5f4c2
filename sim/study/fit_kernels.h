// Measured operator tables turned into what predictions use: a Profile of the measurements themselves, or
// kernel rates fitted to them.
#pragma once

#include <string>
#include <vector>

#include "base/profile.h"
#include "base/table.h"
#include "sim/study/catalog.h"
#include "sim/study/kernel_table.h"

namespace paceline {

// How well an operator's rows are predicted by all others.
struct FitErrors {
  std::string what, format;
  std::size_t rows = 0;
  ModelError before;    // of the rates that the fit started from
  ModelError left_out;  // each row (or, of many, each tenth of them) predicted without itself
};

struct FittedProfile {
  Profile profile;
  std::vector<FitErrors> errors;
};
struct FittedRates {
  KernelRates rates;
  std::vector<FitErrors> errors;
};

// The rows' device, as the catalog calls it: `given` if not empty, else what the tables say. Throws
// InputError when rows are of several devices or of one that the catalog does not know.
[[nodiscard]] std::string device_of_rows(const Catalog& catalog, const std::vector<KernelRow>& rows,
                                         const std::string& given);

// Matrix products only: nothing else has a place in a Profile. `origin` says where the rows are from.
[[nodiscard]] FittedProfile fit_profile(const Catalog& catalog, const std::vector<KernelRow>& rows,
                                        const std::string& device, const std::string& origin);

// The start and prior of every number is the device's own or inherited rate, or that of the measured device
// whose data sheet is nearest. From 500 products of a format on, a correction grid is fitted too.
[[nodiscard]] FittedRates fit_rates(const Catalog& catalog, const std::vector<KernelRow>& rows,
                                    const std::string& device, const std::string& origin);

[[nodiscard]] Table fit_errors_table(const std::vector<FitErrors>& errors);

}  // namespace paceline
