// Model files of recommenders, and of nets over sentences that are no transformers.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

constexpr std::int64_t most_rows = std::int64_t{1} << 34;  // of a table: times its width inside 64 bits
constexpr std::size_t most_tables = 4096, most_mlp_layers = 100;

template <class Spec>
ModelRecipe sample_recipe(const Spec& spec, Model (*build)(const Spec&)) {
  ModelRecipe recipe;
  recipe.resolve = [](const ModelInput& given) {
    const std::string kind = "a recommender";
    refuse(static_cast<double>(given.sequence), "sequence", kind);
    refuse(static_cast<double>(given.image), "image", kind);
    refuse(static_cast<double>(given.vocabulary), "vocabulary", kind);
    refuse(given.masked_positions, "masked_positions", kind);
    return ModelInput{};
  };
  recipe.build = [spec, build](const ModelInput&) { return build(spec); };
  return recipe;
}

}  // namespace

ModelRecipe read_dlrm(JsonObject& parameters) {
  DlrmSpec spec;
  spec.tables = counts(parameters, "tables", most_tables, most_rows);
  spec.width = count(parameters, "width", most_width);
  spec.bottom = counts(parameters, "bottom", most_mlp_layers, most_width);
  if (spec.bottom.back() != spec.width)
    parameters.required("bottom").fail(fmt::format("a last number equal to width, {}", spec.width));
  spec.top = counts(parameters, "top", most_mlp_layers, most_width);
  spec.numbers = count(parameters, "numbers", most_width);
  spec.pad_pairs = flag(parameters, "pad_pairs");
  return sample_recipe(spec, &build_dlrm);
}

ModelRecipe read_ncf(JsonObject& parameters) {
  NcfSpec spec;
  spec.users = count(parameters, "users", most_rows);
  spec.items = count(parameters, "items", most_rows);
  spec.factors = count(parameters, "factors", most_width);
  spec.layers = counts(parameters, "layers", most_mlp_layers, most_width);
  if (spec.layers.size() < 2) parameters.required("layers").fail("at least two numbers");
  if (spec.layers.front() % 2 != 0)
    parameters.required("layers").fail("an even first number: halves for user and item");
  return sample_recipe(spec, &build_ncf);
}

ModelRecipe read_gnmt(JsonObject& parameters) {
  GnmtSpec spec;
  spec.layers = parameters.required("layers").integer(2, most_layers);
  spec.hidden = count(parameters, "hidden", most_width);
  spec.vocabulary = count(parameters, "vocabulary", most_classes);
  spec.positions = count(parameters, "positions", most_classes);
  spec.sequence = parameters.required("sequence").integer(1, spec.positions);
  return token_recipe(spec, &build_gnmt);
}

}  // namespace paceline
