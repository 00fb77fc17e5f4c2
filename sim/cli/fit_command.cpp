#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/fit_kernels.h"

namespace paceline::cli {
namespace {

struct Options {
  std::vector<std::string> tables;
  std::string output, device;
  bool rates = false;
};

// "h100-gemm.csv (53,493 rows)" and so on.
std::string origin_of(const Options& options, std::size_t rows) {
  std::string names;
  for (const std::string& table : options.tables)
    names += (names.empty() ? "" : ", ") + std::filesystem::path(table).filename().string();
  return fmt::format("{} rows of {}", rows, names);
}

void run(const Options& options, const CommonOptions& common) {
  check_output(options.output);
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  std::vector<KernelRow> rows;
  for (const std::string& table : options.tables) {
    const auto more = read_kernel_table(table, options.device);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  const std::string device = device_of_rows(catalog, rows, options.device);
  const std::string origin = origin_of(options, rows.size());
  std::vector<FitErrors> errors;
  if (options.rates) {
    const FittedRates fitted = fit_rates(catalog, rows, device, origin);
    write_output(options.output, to_json(fitted.rates));
    errors = fitted.errors;
  } else {
    const FittedProfile fitted = fit_profile(catalog, rows, device, origin);
    write_output(options.output, to_json(fitted.profile));
    errors = fitted.errors;
  }
  if (options.output == "-") return;
  fmt::print("{}: |ln(predicted / measured)| in %, before and for rows left out\n\n{}", device,
             to_text(fit_errors_table(errors)));
}

}  // namespace

void add_fit(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("fit", "turn tables of measured kernel times into a profile or kernel rates");
  command
      ->add_option("TABLE", options->tables, "CSV with a header, plain or gzip: dtype,m,n,k,us and the like")
      ->required();
  command->add_option("-o,--output", options->output, "file to write; - for standard output")->required();
  command->add_option("--device", options->device, "what was measured, if the tables do not say");
  command->add_flag("--rates", options->rates,
                    "fit kernel rates, for scenarios/kernels, instead of a profile");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
