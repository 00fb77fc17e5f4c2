#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/statistics.h"
#include "sim/study/fit_grid.h"
#include "sim/study/fit_kernels.h"
#include "sim/study/fit_start.h"
#include "sim/study/knobs.h"
#include "sim/study/robust_fit.h"

namespace paceline {
namespace {

using Rows = std::vector<KernelRow>;

constexpr std::size_t rows_left_out_singly = 60;
constexpr std::size_t rows_for_a_grid = 500;

// Rates of one operator, and how they are reached in a KernelRates.
template <class R>
struct Operator {
  std::vector<Knob<R>> knobs;
  std::function<R&(KernelRates&)> part;
  bool grid = false;
};

std::vector<double> errors_of(const KernelRates& rates, const Rows& rows, bool corrected) {
  std::vector<double> errors;
  for (const KernelRow& row : rows) {
    const auto time = kernel_time(rates, row, corrected);
    errors.push_back(time ? std::log(*time / row.measured) : 0);
  }
  return errors;
}

ModelError summary(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return {median(errors), quantile(errors, 0.9)};
}

// Every class of duration counts the same, so that the many short kernels do not drown the long ones.
std::vector<double> weights_of(const Rows& rows) {
  constexpr std::array<double, 4> bounds{5e-6, 20e-6, 100e-6, 1e-3};
  const auto kind = [&](const KernelRow& row) {
    return static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), row.measured.value()) -
                                    bounds.begin());
  };
  std::array<double, bounds.size() + 1> counts{};
  for (const KernelRow& row : rows) counts[kind(row)] += 1;
  const auto used =
      static_cast<double>(std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; }));
  std::vector<double> weights;
  for (const KernelRow& row : rows)
    weights.push_back(static_cast<double>(rows.size()) / used / counts[kind(row)]);
  return weights;
}

template <class R>
void fit(KernelRates& rates, const Rows& rows, const Operator<R>& what) {
  std::vector<double> start;
  for (const Knob<R>& knob : what.knobs) start.push_back(std::log(knob.get(what.part(rates))));
  const auto apply = [&](const std::vector<double>& parameters) {
    for (std::size_t each = 0; each < parameters.size(); ++each)
      what.knobs[each].set(what.part(rates), std::exp(parameters[each]));
  };
  const Residuals residuals = [&](const std::vector<double>& parameters, std::vector<double>& errors) {
    apply(parameters);
    errors = errors_of(rates, rows, false);
  };
  apply(robust_fit(start, weights_of(rows), residuals));
  if constexpr (std::is_same_v<R, GemmRates>) {
    GemmRates& gemm = what.part(rates);
    gemm.correction = CorrectionGrid();
    if (rows.size() >= rows_for_a_grid) gemm.correction = fit_grid(rows, errors_of(rates, rows, false));
  }
}

// Errors of rows that the fit has not seen: one by one, or a tenth at a time.
template <class R>
std::vector<double> left_out_errors(const KernelRates& rates, const Rows& rows, const Operator<R>& what) {
  const std::size_t folds = rows.size() <= rows_left_out_singly ? rows.size() : 10;
  std::vector<double> errors;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Rows seen, unseen;
    for (std::size_t row = 0; row < rows.size(); ++row)
      (row % folds == fold ? unseen : seen).push_back(rows[row]);
    if (seen.empty()) continue;
    KernelRates without = rates;
    fit(without, seen, what);
    const auto fold_errors = errors_of(without, unseen, true);
    errors.insert(errors.end(), fold_errors.begin(), fold_errors.end());
  }
  return errors;
}

template <class R>
FitErrors fit_and_judge(KernelRates& rates, const Rows& rows, const Operator<R>& what) {
  FitErrors errors{to_string(rows.front().what),
                   to_string(rows.front().format),
                   rows.size(),
                   summary(errors_of(rates, rows, true)),
                   {}};
  const auto unseen = left_out_errors(rates, rows, what);
  errors.left_out = unseen.empty() ? ModelError{1, 1} : summary(unseen);
  fit(rates, rows, what);
  what.part(rates).error = errors.left_out;
  if constexpr (std::is_same_v<R, GemmRates>) what.part(rates).corrected_error = errors.left_out;
  return errors;
}

template <class R>
R& part_of(std::optional<R>& part, KernelOperator what) {
  if (part) return *part;
  throw InputError("operator", to_string(what), "one that a measured device of the architecture has rates of",
                   "leave these rows out");
}

FitErrors fit_group(KernelRates& rates, const Rows& rows) {
  const KernelOperator what = rows.front().what;
  const auto format = static_cast<std::size_t>(rows.front().format);
  switch (what) {
    case KernelOperator::gemm:
      return fit_and_judge<GemmRates>(
          rates, rows,
          {gemm_knobs(*rates.gemm[format]), [=](KernelRates& r) -> GemmRates& { return *r.gemm[format]; }});
    case KernelOperator::experts:
      part_of(rates.experts, what);
      return fit_and_judge<ExpertRates>(
          rates, rows, {expert_knobs(), [](KernelRates& r) -> ExpertRates& { return *r.experts; }});
    case KernelOperator::attention:
      return fit_and_judge<AttentionRates>(rates, rows,
                                           {attention_knobs(part_of(rates.attention, what)),
                                            [](KernelRates& r) -> AttentionRates& { return *r.attention; }});
    case KernelOperator::latent_attention:
      break;
  }
  return fit_and_judge<AttentionRates>(
      rates, rows,
      {attention_knobs(part_of(rates.latent_attention, what)),
       [](KernelRates& r) -> AttentionRates& { return *r.latent_attention; }});
}

}  // namespace

FittedRates fit_rates(const Catalog& catalog, const std::vector<KernelRow>& rows, const std::string& device,
                      const std::string& origin) {
  const Device& hardware = catalog.hardware.device(device);
  std::map<std::pair<KernelOperator, NumberFormat>, Rows> groups;
  for (const KernelRow& row : rows) groups[{row.what, row.format}].push_back(row);
  FittedRates fitted{start_of_fit(catalog, device), {}};
  std::string groups_named;
  for (const auto& [key, group] : groups)
    groups_named += (groups_named.empty() ? "" : ", ") + to_string(key.first) + " " + to_string(key.second);
  std::string rest = fitted.rates.source;
  for (const std::string& note : fitted.rates.notes) rest += "; " + note;
  fitted.rates.source =
      groups_named + ": robust least squares of ln(time) over " + origin + "; everything else: " + rest;
  for (const auto& [key, group] : groups) {
    const auto [what, format] = key;
    if (what == KernelOperator::gemm)
      fitted.rates.gemm[static_cast<std::size_t>(format)] =
          gemm_rates_to_start(fitted.rates, hardware, format);
    fitted.errors.push_back(fit_group(fitted.rates, group));
  }
  return fitted;
}

std::string device_of_rows(const Catalog& catalog, const std::vector<KernelRow>& rows,
                           const std::string& given) {
  std::string name = given;
  for (const KernelRow& row : rows) {
    if (!given.empty()) break;
    if (!name.empty() && row.device != name)
      throw InputError("device", name + " and " + row.device, "rows of one device",
                       "fit each device by itself");
    name = row.device;
  }
  if (const KernelRates* rates = catalog.kernel_rates.measured(name)) return rates->device;
  return catalog.hardware.device(name).name;
}

Table fit_errors_table(const std::vector<FitErrors>& errors) {
  Table table{{{"operator", false},
               {"format", false},
               {"rows"},
               {"before: median %"},
               {"p90 %"},
               {"left out: median %"},
               {"p90 %"}},
              {}};
  for (const FitErrors& each : errors) {
    std::vector<std::string> cells{each.what, each.format, std::to_string(each.rows)};
    for (const double value : {each.before.median, each.before.p90, each.left_out.median, each.left_out.p90})
      cells.push_back(percent_text(value));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace paceline
