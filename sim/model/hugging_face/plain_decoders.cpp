// Decoders with layer norms and a feed-forward part without a gate.
#include "sim/model/builders.h"
#include "sim/model/hugging_face/decoder_fields.h"
#include "sim/model/hugging_face/hugging_face.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

DecoderSpec read_plain(HuggingFaceConfig& config, bool tied, bool bias) {
  DecoderSpec spec = read_decoder_sizes(config, tied);
  BlockSpec& block = spec.block;
  block.norm = NormKind::layer;
  block.norm_bias = true;
  block.attention.rotary = false;
  block.attention.bias = block.attention.output_bias = block.feed_forward.bias = bias;
  block.feed_forward.width =
      config.size_or({"intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner"}, 4 * block.hidden);
  return spec;
}

ModelRecipe read_gpt2_config(HuggingFaceConfig& config) {
  const DecoderSpec sizes = read_plain(config, true, true);
  if (!sizes.tied) config.refuse("tie_word_embeddings", "true", "GPT-2's head is its token embedding");
  Gpt2Spec spec;
  spec.layers = sizes.layers;
  spec.hidden = sizes.block.hidden;
  spec.heads = sizes.block.attention.heads;
  spec.feed_forward = sizes.block.feed_forward.width;
  spec.vocabulary = sizes.vocabulary;
  spec.positions = sizes.positions;
  spec.sequence = sizes.sequence;
  return token_recipe(spec, &build_gpt2);
}

ModelRecipe read_gpt_bigcode_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_plain(config, true, true);
  spec.learned_positions = spec.positions;
  spec.block.attention.joined = true;
  if (config.flag("multi_query", true)) spec.block.attention.key_value_heads = 1;
  return recipe_of(spec);
}

ModelRecipe read_gptj_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_plain(config, false, true);
  spec.block.attention.bias = spec.block.attention.output_bias = false;
  spec.block.attention.rotary = spec.block.parallel = true;
  spec.head_bias = true;
  return recipe_of(spec);
}

ModelRecipe read_gpt_neox_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_plain(config, false, true);
  spec.block.attention.bias = spec.block.attention.output_bias = config.flag("attention_bias", true);
  spec.block.attention.rotary = spec.block.attention.joined = true;
  spec.block.parallel = spec.block.parallel_norms = config.flag("use_parallel_residual", true);
  return recipe_of(spec);
}

ModelRecipe read_opt_config(HuggingFaceConfig& config) {
  constexpr std::int64_t offset = 2;  // rows of the position table that OPT never uses
  DecoderSpec spec = read_plain(config, true, config.flag("enable_bias", true));
  spec.learned_positions = spec.positions + offset;
  spec.embedding_size = config.size_or({"word_embed_proj_dim"}, spec.block.hidden);
  spec.block.dropout = spec.block.attention.dropout = true;
  spec.block.norm_after = !config.flag("do_layer_norm_before", true);
  spec.final_norm = !spec.block.norm_after && !config.flag("_remove_final_layer_norm", false);
  return recipe_of(spec);
}

ModelRecipe read_phi_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_plain(config, false, true);
  spec.block.attention.rotary = spec.block.parallel = true;
  spec.head_bias = true;
  return recipe_of(spec);
}

ModelRecipe read_starcoder2_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_plain(config, true, config.flag("use_bias", true));
  spec.block.attention.rotary = true;
  spec.block.attention.window = config.count_or("sliding_window", 0);
  return recipe_of(spec);
}

}  // namespace

// Those whose fields go by names of their own.
ModelRecipe read_bloom_config(HuggingFaceConfig& config);
ModelRecipe read_falcon_config(HuggingFaceConfig& config);
ModelRecipe read_mpt_config(HuggingFaceConfig& config);

const std::vector<HuggingFaceFamily>& plain_decoder_families() {
  static const std::vector<HuggingFaceFamily> families{
      {"bloom", &read_bloom_config},       {"falcon", &read_falcon_config},
      {"gpt2", &read_gpt2_config},         {"gpt_bigcode", &read_gpt_bigcode_config},
      {"gpt_neox", &read_gpt_neox_config}, {"gptj", &read_gptj_config},
      {"mpt", &read_mpt_config},           {"opt", &read_opt_config},
      {"phi", &read_phi_config},           {"starcoder2", &read_starcoder2_config}};
  return families;
}

}  // namespace paceline
