#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/catalog.h"
#include "sim/study/diagnosis/machine.h"
#include "sim/study/nccl_tests/nccl_tests_profile.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string log, output = "-";
  MachineHints hints;
};

void run(const Options& options, const CommonOptions& common) {
  check_output(options.output);
  const NcclTestsLog log = read_nccl_tests(options.log);
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  const Profile profile = to_profile(log, import_options(catalog.hardware, log, options.hints));
  write_output(options.output, to_json(profile));
  if (options.output == "-") return;
  fmt::print("{}: {} measurements on {}\n", options.output, profile.collectives.size(), profile.device);
  for (const std::string& note : profile.notes) fmt::print("note: {}\n", note);
}

}  // namespace

void add_import(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("import", "turn measurements of other tools into a Profile");
  command->require_subcommand(1);
  CLI::App* nccl = command->add_subcommand("nccl-tests", "tables of nccl-tests or rccl-tests, text or JSON");
  nccl->add_option("LOG", options->log, "what all_reduce_perf or a sister of it printed")->required();
  nccl->add_option("--cluster", options->hints.cluster, "the machine, if the log does not say");
  nccl->add_option("--collective", options->hints.collective, "of tables that do not say theirs");
  nccl->add_option("--hosts", options->hints.hosts, "of logs that do not list them")
      ->check(CLI::PositiveNumber);
  nccl->add_option("-o,--output", options->output, "the Profile; - for standard output (default)");
  nccl->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
