#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/diagnosis/published_diagnosis.h"
#include "sim/study/memory/validate_memory.h"
#include "sim/study/validate.h"
#include "sim/study/validate_collectives.h"
#include "sim/study/validate_kernels.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string kind, json;
  std::vector<std::string> files;
  bool half = false, one_clock = false;
};

void show_training(const Catalog& catalog, const std::string& folder, const Options& options) {
  const Validation validation =
      validate_training(catalog, folder, options.files,
                        options.one_clock ? TrainingKnowledge::one_clock : TrainingKnowledge::catalog);
  if (!options.json.empty()) write_output(options.json, validation_json(validation));
  if (options.json == "-") return;
  fmt::print("|ln(predicted / measured)| of the step time, in %; each group weighs the same\n\n{}",
             to_text(validation_table(validation)));
  if (validation.calibrated_clock)
    fmt::print("\nOne sustained clock for all rows, fitted to them: {:.3f} of the burst clock\n",
               *validation.calibrated_clock);
  const Table directions = directions_table(validation);
  if (!directions.rows.empty())
    fmt::print(
        "\nPairs of a group that differ in one factor and by more than 3 % of device time a token\n\n{}",
        to_text(directions));
  const Table unanswered = unanswered_table(validation, 12);
  if (!unanswered.rows.empty()) fmt::print("\n{}", to_text(unanswered));
}

void show_collectives(const Catalog& catalog, const std::string& folder, const Options& options) {
  const auto knowledge = options.half ? CollectiveKnowledge::half_of_the_sizes : CollectiveKnowledge::catalog;
  const CollectiveValidation validation = validate_collectives(catalog, folder, options.files, knowledge);
  if (!options.json.empty()) write_output(options.json, collective_validation_json(validation));
  if (options.json == "-") return;
  fmt::print("|ln(predicted / measured)| of the time of a collective, in %; every size weighs the same\n\n{}",
             to_text(collective_validation_table(validation)));
  fmt::print("\nTables missed by most\n\n{}", to_text(worst_collectives_table(validation, 10)));
  const Table unasked = unasked_collectives_table(validation);
  if (!unasked.rows.empty())
    fmt::print("\n{} of {} tables do not say enough of their machine\n\n{}", unasked.rows.size(),
               validation.tables.size(), to_text(unasked));
  fmt::print("\nDiagnosis (paceline diagnose collective) {}\n",
             to_string(published_score(catalog, folder, options.files)));
}

void show_kernels(const Catalog& catalog, const std::string& folder, const Options& options) {
  const auto errors = validate_kernels(catalog, folder, options.files);
  if (!options.json.empty()) write_output(options.json, kernel_errors_json(errors));
  if (options.json == "-") return;
  fmt::print("|ln(predicted / measured)| of single kernels, in %\n\n{}",
             to_text(kernel_errors_table(errors)));
}

void show_memory(const Catalog& catalog, const std::string& folder, const Options& options) {
  const MemoryValidation validation = validate_memory(catalog, folder, options.files);
  if (!options.json.empty()) write_output(options.json, memory_validation_json(validation));
  if (options.json == "-") return;
  fmt::print(
      "|ln(predicted / measured)| of the memory of a rank, in %: static at the end of a step, with the share "
      "within\nmax(1 %, 128 MiB) and how far differences inside the group stray; peak allocated; peak "
      "reserved\n\n{}",
      to_text(memory_validation_table(validation)));
  const Table unanswered = unanswered_memory_table(validation);
  if (!unanswered.rows.empty()) fmt::print("\n{}", to_text(unanswered));
}

void run(const Options& options, const CommonOptions& common) {
  if (!options.json.empty()) check_output(options.json);
  const std::string folder = find_data_folder(common.data_folder);
  const Catalog catalog = Catalog::load(folder);
  if (options.kind == "training") return show_training(catalog, folder, options);
  if (options.kind == "kernels") return show_kernels(catalog, folder, options);
  if (options.kind == "memory") return show_memory(catalog, folder, options);
  show_collectives(catalog, folder, options);
}

}  // namespace

void add_validate(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("validate", "judge predictions by published measurements");
  command->add_option("KIND", options->kind, "training, collectives, kernels or memory")
      ->required()
      ->check(CLI::IsMember({"training", "collectives", "kernels", "memory"}));
  command->add_option("FILE", options->files, "files of measurements (default: scenarios/published)");
  command->add_flag("--half", options->half,
                    "collectives: give every other size of a table as a profile, judge the rest");
  command->add_flag("--one-clock", options->one_clock,
                    "training: fit one sustained clock of the devices to all rows first");
  command->add_option("--json", options->json, "write all rows as JSON; - for standard output");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
