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
