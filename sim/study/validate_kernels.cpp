#include "sim/study/validate_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/statistics.h"

namespace paceline {
namespace {

constexpr Seconds long_kernel = microseconds(100);

std::vector<std::string> published_tables(const std::string& data_folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder + "/published"))
    if (entry.path().filename().string().starts_with("kernels-") && entry.path().extension() == ".csv")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// Signed errors of one group.
struct Collected {
  std::size_t rows = 0;
  std::vector<double> errors, uncorrected, long_errors;
  std::string why_not;
};

void collect(const KernelRates& rates, const KernelRow& row, Collected& group) {
  ++group.rows;
  const auto time = kernel_time(rates, row);
  if (!time) {
    group.why_not = "its kernel rates do not cover it";
    return;
  }
  const double error = std::log(*time / row.measured);
  group.errors.push_back(error);
  group.uncorrected.push_back(std::log(*kernel_time(rates, row, false) / row.measured));
  if (row.measured >= long_kernel) group.long_errors.push_back(error);
}

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

KernelErrors summary(const Collected& group) {
  KernelErrors errors;
  errors.rows = group.rows;
  errors.answered = group.errors.size();
  errors.why_not = group.why_not;
  if (group.errors.empty()) return errors;
  const auto size = absolute(group.errors), uncorrected = absolute(group.uncorrected);
  errors.bias = median(group.errors);
  errors.median = median(size);
  errors.p90 = quantile(size, 0.9);
  errors.uncorrected_median = median(uncorrected);
  errors.uncorrected_p90 = quantile(uncorrected, 0.9);
  errors.long_rows = group.long_errors.size();
  if (errors.long_rows == 0) return errors;
  const auto long_size = absolute(group.long_errors);
  errors.long_median = median(long_size);
  errors.long_p90 = quantile(long_size, 0.9);
  return errors;
}

const KernelRates& rates_named(const Catalog& catalog, const std::string& device) {
  if (const KernelRates* rates = catalog.kernel_rates.measured(device)) return *rates;
  std::vector<std::string> names;
  for (const KernelRates& rates : catalog.kernel_rates.all()) {
    names.push_back(rates.device);
    names.insert(names.end(), rates.aliases.begin(), rates.aliases.end());
  }
  const auto near = nearest_word(device, names);
  throw InputError("device", "\"" + device + "\"", "a device with kernel rates in scenarios/kernels",
                   near ? "did you mean \"" + *near + "\"?"
                        : "name it in a column \"device\", or fit its rates with paceline fit");
}

}  // namespace

std::vector<KernelErrors> validate_kernels(const Catalog& catalog, const std::string& data_folder,
                                           std::vector<std::string> files) {
  if (files.empty()) files = published_tables(data_folder);
  std::map<std::tuple<std::string, KernelOperator, NumberFormat>, Collected> groups;
  for (const std::string& file : files)
    for (const KernelRow& row : read_kernel_table(file)) {
      const KernelRates& rates = rates_named(catalog, row.device);
      collect(rates, row, groups[{rates.device, row.what, row.format}]);
    }
  std::vector<KernelErrors> list;
  for (const auto& [key, group] : groups) {
    KernelErrors errors = summary(group);
    errors.device = std::get<0>(key);
    errors.what = to_string(std::get<1>(key));
    errors.format = to_string(std::get<2>(key));
    list.push_back(std::move(errors));
  }
  return list;
}

Table kernel_errors_table(const std::vector<KernelErrors>& errors) {
  Table table{{{"device", false},
               {"operator", false},
               {"format", false},
               {"rows"},
               {"answered"},
               {"median %"},
               {"p90 %"},
               {"bias %"},
               {"100 us and more: rows"},
               {"median %"},
               {"p90 %"},
               {"without correction: median %"},
               {"p90 %"}},
              {}};
  const auto percent = [](double value) { return fmt::format("{:.1f}", value * 100); };
  for (const KernelErrors& each : errors) {
    std::vector<std::string> cells{each.device, each.what, each.format, std::to_string(each.rows),
                                   std::to_string(each.answered)};
    const bool some = each.answered > 0, longer = each.long_rows > 0;
    for (const double value : {each.median, each.p90, each.bias})
      cells.push_back(some ? percent(value) : "-");
    cells.push_back(std::to_string(each.long_rows));
    for (const double value : {each.long_median, each.long_p90})
      cells.push_back(longer ? percent(value) : "-");
    for (const double value : {each.uncorrected_median, each.uncorrected_p90})
      cells.push_back(some ? percent(value) : "-");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string kernel_errors_json(const std::vector<KernelErrors>& errors) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", "paceline/kernel-validation-1"}, {"groups", Json::array()}};
  for (const KernelErrors& each : errors) {
    const auto figure = [](bool some, double value) { return some ? Json(value) : Json(); };
    const bool some = each.answered > 0, longer = each.long_rows > 0;
    json["groups"].push_back({{"device", each.device},
                              {"operator", each.what},
                              {"format", each.format},
                              {"rows", each.rows},
                              {"answered", each.answered},
                              {"median", figure(some, each.median)},
                              {"p90", figure(some, each.p90)},
                              {"bias", figure(some, each.bias)},
                              {"long_rows", each.long_rows},
                              {"long_median", figure(longer, each.long_median)},
                              {"long_p90", figure(longer, each.long_p90)},
                              {"uncorrected_median", figure(some, each.uncorrected_median)},
                              {"uncorrected_p90", figure(some, each.uncorrected_p90)},
                              {"why_not", each.why_not.empty() ? Json() : Json(each.why_not)}});
  }
  return json.dump(1) + "\n";
}

}  // namespace paceline
