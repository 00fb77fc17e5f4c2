// Model files of encoders with decoders.
#include <fmt/format.h>

#include "sim/model/recipe_fields.h"
#include "sim/model/transformer_spec.h"

namespace paceline {

ModelRecipe read_encoder_decoder(JsonObject& parameters) {
  EncoderDecoderSpec spec;
  spec.encoder_layers = count(parameters, "encoder_layers", most_layers);
  spec.decoder_layers = count(parameters, "decoder_layers", most_layers);
  spec.vocabulary = count(parameters, "vocabulary", most_classes);
  spec.positions = count(parameters, "positions", most_classes);
  spec.sequence = parameters.required("sequence").integer(1, spec.positions);
  spec.learned_positions = count_or(parameters, "learned_positions", 0, most_classes);
  spec.relative_buckets = count_or(parameters, "relative_buckets", 0, most_classes);
  spec.embedding_norm = flag(parameters, "embedding_norm");
  spec.final_norm = flag(parameters, "final_norm");
  spec.tied = flag(parameters, "tied");
  BlockSpec& block = spec.block;
  block.hidden = count(parameters, "hidden", most_width);
  const JsonValue heads = parameters.required("heads");
  AttentionSpec& attention = block.attention;
  attention.heads = attention.key_value_heads = heads.integer(1, most_width);
  const auto size = parameters.optional("head_size");
  if (!size && block.hidden % attention.heads != 0)
    heads.fail(fmt::format("a divisor of hidden, {}", block.hidden), "or state head_size");
  attention.head_size = size ? size->integer(1, most_width) : block.hidden / attention.heads;
  attention.rotary = attention.fused = false;
  block.norm = parameters.required("norm").choice({"layer", "rms"}) == 0 ? NormKind::layer : NormKind::rms;
  block.norm_after = flag(parameters, "norm_after");
  const bool bias = flag(parameters, "bias");
  block.norm_bias = attention.bias = attention.output_bias = bias;
  block.dropout = attention.dropout = flag(parameters, "dropout");
  block.feed_forward.width = count(parameters, "feed_forward", most_width);
  block.feed_forward.gated = flag(parameters, "gated");
  block.feed_forward.bias = bias;
  return token_recipe(spec, &build_encoder_decoder);
}

}  // namespace paceline
