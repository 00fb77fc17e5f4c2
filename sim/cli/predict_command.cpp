#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/split_text.h"
#include "sim/study/study.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string file, model, profile, timeline, json;
};

void print_prediction(const Prediction& prediction) {
  const StepBreakdown& parts = prediction.breakdown;
  fmt::print("step time              {} ({} to {})\n", to_string(prediction.step),
             to_string(prediction.step_low), to_string(prediction.step_high));
  fmt::print("throughput             {:.4g} samples/s ({:.0f} a step)\n", prediction.samples_per_second,
             prediction.global_batch);
  fmt::print("forward, backward      {}, {}\n", to_string(parts.forward), to_string(parts.backward));
  fmt::print("optimizer              {}\n", to_string(parts.optimizer));
  fmt::print("communication          {}, exposed {} ({:.1f} % of the step)\n", to_string(parts.communication),
             to_string(parts.exposed_communication), parts.exposed_communication / prediction.step * 100);
  fmt::print("compute slowed by it   {}\n", to_string(parts.contention));
  fmt::print("{}", split_text(prediction));
  for (const RankMemory& rank : prediction.memory) {
    fmt::print("peak memory {:<10} {} of {} ({})\n", rank.name, to_binary_string(rank.peak),
               to_binary_string(prediction.capacity), rank.peak_phase);
  }
  fmt::print("memory imbalance       {:.2f}\n", prediction.imbalance);
  for (const std::string& note : prediction.notes) fmt::print("note: {}\n", note);
}

int run(const Options& options, const CommonOptions& common) {
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  Scenario scenario = read_scenario(JsonValue::parse_file(options.file), {&catalog, options.model});
  if (!options.model.empty()) scenario.model = options.model;
  if (scenario.name.empty()) scenario.name = std::filesystem::path(options.file).stem().string();
  std::optional<Profile> profile;
  if (!options.profile.empty()) profile = read_profile(options.profile);
  Study study{scenario.name, scenario.name, {{scenario, scenario.model, scenario.cluster}}};
  for (const std::string& output : {options.timeline, options.json})
    if (!output.empty()) check_output(output);
  const auto rows =
      about(options.file, [&] { return run_study(catalog, study, profile ? &*profile : nullptr, true); });
  if (!options.timeline.empty()) write_chrome_json(rows.front().timeline, options.timeline);
  if (!options.json.empty()) write_output(options.json, study_json(study, rows));
  if (options.json != "-") print_prediction(rows.front().prediction);
  return rows.front().prediction.out_of_memory ? static_cast<int>(ExitCode::answer_is_no) : 0;
}

}  // namespace

void add_predict(CLI::App& app, const CommonOptions& common, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("predict", "answer one scenario; exit code 1 when it does not fit");
  command->add_option("FILE", options->file, "a paceline/scenario-1 file")->required();
  command->add_option("--model", options->model,
                      "instead of the scenario's: a name, or a model file or Hugging Face config.json");
  command->add_option("--profile", options->profile,
                      "measurements of paceline-probe to use where they apply");
  command->add_option("--timeline", options->timeline, "write the predicted timeline (.json or .json.gz)");
  command->add_option("--json", options->json, "write the result as JSON; - for standard output");
  command->callback([options, &common, &exit_code] { exit_code = run(*options, common); });
}

}  // namespace paceline::cli
