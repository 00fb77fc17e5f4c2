#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/statistics.h"
#include "sim/cost/kernel/measured_ratios.h"
#include "sim/study/fit_kernels.h"
#include "sim/study/fit_start.h"

namespace paceline {
namespace {

constexpr std::size_t most_judged = 2000;  // rows, evenly drawn: each is compared with all others

Measurement single(Seconds time) { return {time, Seconds(0), time, time, 1, false}; }

ModelError error_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  for (double& error : errors) error = std::abs(error);
  return {median(errors), quantile(errors, 0.9)};
}

MeasuredRatios::Sizes sizes_of(const GemmShape& shape) { return {shape.m, shape.n, shape.k}; }

FitErrors judge(const KernelRates& rates, const std::vector<KernelRow>& rows, NumberFormat format) {
  MeasuredRatios ratios;
  for (const KernelRow& row : rows)
    ratios.add(sizes_of(row.gemm), row.measured, *kernel_time(rates, row, false));
  std::vector<double> before, left_out;
  const std::size_t step = std::max<std::size_t>(1, rows.size() / most_judged);
  for (std::size_t at = 0; at < rows.size(); at += step) {
    const double model = std::log(*kernel_time(rates, rows[at], false) / rows[at].measured);
    before.push_back(model);
    left_out.push_back(model + std::log(ratios.at(sizes_of(rows[at].gemm), true).factor));
  }
  return {to_string(KernelOperator::gemm), to_string(format), rows.size(), error_of(before),
          error_of(left_out)};
}

}  // namespace

FittedProfile fit_profile(const Catalog& catalog, const std::vector<KernelRow>& rows,
                          const std::string& device, const std::string& origin) {
  std::map<NumberFormat, std::vector<KernelRow>> by_format;
  for (const KernelRow& row : rows) {
    if (row.what != KernelOperator::gemm)
      throw InputError("operator", to_string(row.what), "gemm: a profile holds matrix products only",
                       "fit kernel rates instead, with --rates");
    by_format[row.format].push_back(row);
  }
  FittedProfile fitted;
  fitted.profile.device = device;
  fitted.profile.backend = catalog.hardware.device(device).architecture == "cpu" ? "cpu" : "cuda";
  fitted.profile.notes.push_back("matrix products from " + origin);
  const KernelRates rates = start_of_fit(catalog, device);
  for (const auto& [format, list] : by_format) {
    for (const KernelRow& row : list) {
      const auto whole = [](double size) { return static_cast<std::int64_t>(std::llround(size)); };
      fitted.profile.gemms.push_back({to_string(format), whole(row.gemm.m), whole(row.gemm.n),
                                      whole(row.gemm.k), whole(row.gemm.batch), single(row.measured)});
    }
    KernelRates used = rates;
    used.gemm[static_cast<std::size_t>(format)] =
        gemm_rates_to_start(rates, catalog.hardware.device(device), format);
    fitted.errors.push_back(judge(used, list, format));
    fitted.profile.notes.push_back(
        fmt::format("{}: left out, each is predicted to {:.1f} % in the median and {:.1f} % in nine of ten",
                    to_string(format), fitted.errors.back().left_out.median * 100,
                    fitted.errors.back().left_out.p90 * 100));
  }
  return fitted;
}

}  // namespace paceline
