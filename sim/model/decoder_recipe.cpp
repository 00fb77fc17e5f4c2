// Model files of decoders whose blocks vary: norms, gates, latent attention, mixtures of experts.
#include <fmt/format.h>

#include "sim/model/recipe_fields.h"
#include "sim/model/transformer_spec.h"

namespace paceline {
namespace {

LatentSpec read_latent(JsonObject latent) {
  LatentSpec spec;
  spec.query_rank = count_or(latent, "query_rank", 0, most_width);
  spec.key_value_rank = count(latent, "key_value_rank", most_width);
  spec.plain_size = count(latent, "plain_size", most_width);
  spec.rotary_size = count(latent, "rotary_size", most_width);
  spec.value_size = count(latent, "value_size", most_width);
  latent.finish();
  return spec;
}

AttentionSpec read_attention(JsonObject& parameters, std::int64_t hidden) {
  AttentionSpec spec;
  const JsonValue heads = parameters.required("heads");
  spec.heads = heads.integer(1, most_width);
  if (const auto latent = parameters.optional("latent")) {
    spec.latent = read_latent(latent->object());
    spec.key_value_heads = spec.heads;
  } else {
    if (const auto groups = parameters.optional("key_value_heads")) {
      spec.key_value_heads = groups->integer(1, spec.heads);
      if (spec.heads % spec.key_value_heads != 0)
        groups->fail(fmt::format("a divisor of heads, {}", spec.heads));
    } else {
      spec.key_value_heads = spec.heads;
    }
    const auto size = parameters.optional("head_size");
    if (!size && hidden % spec.heads != 0)
      heads.fail(fmt::format("a divisor of hidden, {}", hidden), "or state head_size");
    spec.head_size = size ? size->integer(1, most_width) : hidden / spec.heads;
  }
  spec.bias = flag(parameters, "attention_bias");
  spec.output_bias = flag(parameters, "attention_output_bias");
  spec.joined = flag(parameters, "joined_attention");
  spec.head_norm = flag(parameters, "head_norm");
  spec.rotary = flag(parameters, "rotary");
  spec.sinks = flag(parameters, "sinks");
  spec.fused = !flag(parameters, "eager_attention");
  spec.window = count_or(parameters, "window", 0, most_classes);
  return spec;
}

ExpertSpec read_experts(JsonObject experts, DecoderSpec& decoder) {
  ExpertSpec spec;
  spec.experts = count(experts, "experts", most_width);
  spec.chosen = experts.required("chosen").integer(1, spec.experts);
  spec.width = count(experts, "feed_forward", most_width);
  spec.shared_width = count_or(experts, "shared_feed_forward", 0, most_width);
  spec.shared_gate = flag(experts, "shared_gate");
  spec.bias = flag(experts, "bias");
  spec.correction = flag(experts, "correction");
  if (const auto dense = experts.optional("dense_layers")) {
    decoder.dense_layers = dense->integer(1, decoder.layers);
    decoder.dense_width = count(experts, "dense_feed_forward", most_width);
  }
  experts.finish();
  return spec;
}

void read_block(JsonObject& parameters, DecoderSpec& decoder) {
  BlockSpec& block = decoder.block;
  block.hidden = count(parameters, "hidden", most_width);
  block.attention = read_attention(parameters, block.hidden);
  block.norm = parameters.required("norm").choice({"layer", "rms"}) == 0 ? NormKind::layer : NormKind::rms;
  block.norm_bias = flag(parameters, "norm_bias");
  block.norm_after = flag(parameters, "norm_after");
  decoder.final_norm = !block.norm_after;
  block.norm_both = flag(parameters, "norm_both");
  block.parallel = flag(parameters, "parallel");
  block.parallel_norms = flag(parameters, "parallel_norms");
  block.dropout = flag(parameters, "dropout");
  block.attention.dropout = block.dropout;
  if (const auto experts = parameters.optional("experts"))
    block.experts = read_experts(experts->object(), decoder);
  else
    block.feed_forward.width = count(parameters, "feed_forward", most_width);
  block.feed_forward.gated = flag(parameters, "gated");
  block.feed_forward.bias = flag(parameters, "feed_forward_bias");
}

}  // namespace

ModelRecipe read_decoder(JsonObject& parameters) {
  DecoderSpec spec;
  spec.layers = count(parameters, "layers", most_layers);
  spec.vocabulary = count(parameters, "vocabulary", most_classes);
  spec.positions = count(parameters, "positions", most_classes);
  spec.sequence = parameters.required("sequence").integer(1, spec.positions);
  if (const auto learned = parameters.optional("learned_positions"))
    spec.learned_positions = learned->integer(spec.positions, most_classes);
  spec.positions_as_sequence = flag(parameters, "positions_as_sequence");
  spec.embedding_size = count_or(parameters, "embedding_size", 0, most_width);
  spec.embedding_norm = flag(parameters, "embedding_norm");
  spec.tied = flag(parameters, "tied");
  spec.head_bias = flag(parameters, "head_bias");
  spec.window_every = count_or(parameters, "window_every", 1, most_layers);
  spec.predicted_tokens = count_or(parameters, "predicted_tokens", 0, most_groups);
  read_block(parameters, spec);
  return token_recipe(spec, &build_decoder);
}

}  // namespace paceline
