// Judging kernel times by tables of measurements.
#pragma once

#include <string>
#include <vector>

#include "base/table.h"
#include "sim/study/catalog.h"
#include "sim/study/kernel_table.h"

namespace paceline {

// |ln(predicted / measured)| of one device, operator and number format.
struct KernelErrors {
  std::string device, what, format;
  std::size_t rows = 0, answered = 0;
  double median = 0, p90 = 0;
  double uncorrected_median = 0,
         uncorrected_p90 = 0;            // without the correction grid; the same where there is none
  double bias = 0;                       // median of ln(predicted / measured)
  double long_median = 0, long_p90 = 0;  // of rows of 100 us and more: what training consists of
  std::size_t long_rows = 0;
  std::string why_not;  // of rows without an answer
};

// `files` empty: the tables in the catalog's published folder. Throws InputError for a table that cannot be
// read or names an unknown device.
[[nodiscard]] std::vector<KernelErrors> validate_kernels(const Catalog& catalog,
                                                         const std::string& data_folder,
                                                         std::vector<std::string> files);
[[nodiscard]] Table kernel_errors_table(const std::vector<KernelErrors>& errors);
[[nodiscard]] std::string kernel_errors_json(const std::vector<KernelErrors>& errors);

}  // namespace paceline
