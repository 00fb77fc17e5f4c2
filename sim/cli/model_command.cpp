#include <fmt/format.h>

#include <memory>

#include "sim/cli/commands.h"
#include "sim/model/model_summary.h"
#include "sim/study/catalog.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string name;
  std::int64_t sequence = 0, image = 0;
  bool layers = false;
};

void run(const Options& options, const CommonOptions& common) {
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  ModelInput input;
  input.sequence = options.sequence;
  input.image = options.image;
  const Model model = catalog.models.build(options.name, input);
  fmt::print("{}", to_text(totals_table(model)));
  if (options.layers) fmt::print("\n{}", to_text(layer_table(model)));
}

}  // namespace

void add_model(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("model", "show a model: parameters, work, kept activations, layers");
  command
      ->add_option("NAME", options->name,
                   "a model of the catalog, a model file or a Hugging Face config.json")
      ->required();
  command->add_option("--sequence", options->sequence, "tokens a sample")->check(CLI::PositiveNumber);
  command->add_option("--image", options->image, "pixels of a side")->check(CLI::PositiveNumber);
  command->add_flag("--layers", options->layers, "layer by layer");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
