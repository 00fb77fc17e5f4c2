// Model files of transformers with one shape of block.
#include <fmt/format.h>

#include "base/error.h"
#include "sim/model/builders.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

void read_transformer(JsonObject& parameters, TransformerSpec& spec) {
  spec.layers = count(parameters, "layers", most_layers);
  spec.hidden = count(parameters, "hidden", most_width);
  const JsonValue heads = parameters.required("heads");
  spec.heads = heads.integer(1, spec.hidden);
  if (spec.hidden % spec.heads != 0) heads.fail(fmt::format("a divisor of hidden, {}", spec.hidden));
  spec.feed_forward = count(parameters, "feed_forward", most_width);
  spec.vocabulary = count(parameters, "vocabulary", most_classes);
  spec.positions = count(parameters, "positions", most_classes);
  spec.sequence = parameters.required("sequence").integer(1, spec.positions);
}

}  // namespace

ModelRecipe read_gpt2(JsonObject& parameters) {
  Gpt2Spec spec;
  read_transformer(parameters, spec);
  return token_recipe(spec, &build_gpt2);
}

ModelRecipe read_llama(JsonObject& parameters) {
  LlamaSpec spec;
  read_transformer(parameters, spec);
  const JsonValue groups = parameters.required("key_value_heads");
  spec.key_value_heads = groups.integer(1, spec.heads);
  if (spec.heads % spec.key_value_heads != 0) groups.fail(fmt::format("a divisor of heads, {}", spec.heads));
  return token_recipe(spec, &build_llama);
}

ModelRecipe read_electra(JsonObject& parameters) {
  ElectraSpec spec;
  read_transformer(parameters, spec);
  spec.embedding = count(parameters, "embedding", most_width);
  if (const auto hidden = parameters.optional("generator_hidden")) {
    spec.generator_hidden = hidden->integer(1, most_width);
    spec.generator_heads = count(parameters, "generator_heads", most_width);
    spec.generator_feed_forward = count(parameters, "generator_feed_forward", most_width);
    if (spec.generator_hidden % spec.generator_heads != 0) hidden->fail("a multiple of generator_heads");
  }
  return token_recipe(spec, &build_electra);
}

// The clusters are words of one vocabulary: another number of words would need other clusters.
ModelRecipe read_transformer_xl(JsonObject& parameters) {
  TransformerXlSpec spec;
  read_transformer(parameters, spec);
  spec.memory = count(parameters, "memory", most_classes);
  spec.cutoffs = counts(parameters, "cutoffs", 16, most_classes);
  spec.divisor = count(parameters, "divisor", most_groups);
  for (std::size_t index = 0; index < spec.cutoffs.size(); ++index) {
    const std::int64_t next = index + 1 < spec.cutoffs.size() ? spec.cutoffs[index + 1] : spec.vocabulary;
    if (spec.cutoffs[index] >= next)
      parameters.required("cutoffs").fail("rising numbers below the vocabulary");
  }
  std::int64_t narrowest = spec.hidden;
  for (std::size_t index = 0; index < spec.cutoffs.size(); ++index) narrowest /= spec.divisor;
  if (narrowest < 1) parameters.required("divisor").fail("one that leaves every cluster a width");
  ModelRecipe recipe = token_recipe(spec, &build_transformer_xl);
  recipe.resolve = [inner = recipe.resolve](const ModelInput& given) {
    refuse(static_cast<double>(given.vocabulary), "vocabulary", "one with clusters of words");
    return inner(given);
  };
  return recipe;
}

ModelRecipe read_bert(JsonObject& parameters) {
  BertSpec spec;
  read_transformer(parameters, spec);
  if (const auto types = parameters.optional("token_types"))
    spec.token_types = types->integer(0, most_groups);
  if (const auto flag = parameters.optional("next_sentence")) spec.next_sentence = flag->boolean();
  return bert_recipe(spec);
}

ModelRecipe bert_recipe(const BertSpec& spec) {
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    ModelInput input = resolve_tokens(given, spec.sequence, spec.positions, spec.vocabulary);
    const auto sequence = static_cast<double>(input.sequence);
    input.masked_positions =
        given.masked_positions == 0 ? bert_masked_positions(input.sequence) : given.masked_positions;
    if (!(input.masked_positions > 0 && input.masked_positions <= sequence))
      throw InputError("masked_positions", fmt::format("{}", given.masked_positions),
                       fmt::format("more than 0 and at most the sequence, {}", input.sequence),
                       "leave it out for what the published scripts use");
    return input;
  };
  recipe.build = [spec](const ModelInput& input) {
    BertSpec sized = spec;
    sized.sequence = input.sequence;
    sized.vocabulary = input.vocabulary;
    sized.masked_positions = input.masked_positions;
    return build_bert(sized);
  };
  return recipe;
}

}  // namespace paceline
