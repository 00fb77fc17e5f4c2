#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/catalog.h"
#include "sim/study/diagnosis/diagnosis_report.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string log, style, json, markdown;
  DiagnosisOptions diagnosis;
};

int run(Options options, const CommonOptions& common) {
  for (const std::string& output : {options.json, options.markdown})
    if (!output.empty()) check_output(output);
  options.diagnosis.style = launch_style(options.style);
  const NcclTestsLog log = read_nccl_tests(options.log);
  const std::string folder = find_data_folder(common.data_folder);
  const Catalog catalog = Catalog::load(folder);
  const Diagnosis diagnosis =
      diagnose(catalog.hardware, read_diagnosis_rules(folder), log, options.diagnosis);
  if (!options.json.empty()) write_output(options.json, diagnosis_json(diagnosis));
  if (!options.markdown.empty()) write_output(options.markdown, to_markdown(diagnosis));
  if (options.json != "-" && options.markdown != "-") fmt::print("{}", to_text(diagnosis));
  return diagnosis.normal() ? 0 : static_cast<int>(ExitCode::answer_is_no);
}

}  // namespace

void add_diagnose(CLI::App& app, const CommonOptions& common, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("diagnose", "say whether a measurement is normal, and what is wrong if not");
  command->require_subcommand(1);
  CLI::App* collective = command->add_subcommand(
      "collective", "tables of nccl-tests; exit code 1 when one is slow or suspicious");
  collective->add_option("LOG", options->log, "what all_reduce_perf or a sister of it printed")->required();
  collective->add_option("--cluster", options->diagnosis.hints.cluster,
                         "the machine, if the log does not say");
  collective->add_option("--collective", options->diagnosis.hints.collective,
                         "of tables that do not say theirs");
  collective->add_option("--hosts", options->diagnosis.hints.hosts, "of logs that do not list them")
      ->check(CLI::PositiveNumber);
  collective
      ->add_option("--style", options->style, "who launches the kernels, if not as the log's header says")
      ->check(CLI::IsMember(launch_style_names()));
  collective->add_option("--json", options->json, "write the result as JSON; - for standard output");
  collective->add_option("--md", options->markdown, "write the result as Markdown; - for standard output");
  collective->callback([options, &common, &exit_code] { exit_code = run(*options, common); });
}

}  // namespace paceline::cli
