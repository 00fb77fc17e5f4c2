// BLOOM, Falcon and MPT: positions by a bias of the scores (Falcon: rotary), fields under names of their own.
#include <algorithm>
#include <cmath>

#include "sim/model/hugging_face/decoder_fields.h"
#include "sim/model/hugging_face/hugging_face.h"

namespace paceline {
namespace {

constexpr std::int64_t any_position = 1 << 20;  // nothing limits the sequence but the training
constexpr std::int64_t usual_sequence = 2048;

DecoderSpec read_sizes(HuggingFaceConfig& config, HuggingFaceConfig::Names hidden,
                       HuggingFaceConfig::Names layers, HuggingFaceConfig::Names heads) {
  DecoderSpec spec;
  spec.layers = config.layers(layers);
  spec.vocabulary = config.length({"vocab_size"});
  spec.positions = any_position;
  spec.sequence = config.size_or({"seq_length", "max_seq_len"}, usual_sequence);
  spec.tied = config.flag("tie_word_embeddings", true);
  BlockSpec& block = spec.block;
  block.norm = NormKind::layer;
  block.hidden = config.size(hidden);
  block.attention.heads = block.attention.key_value_heads = config.size(heads);
  config.must_divide(heads, block.attention.heads, block.hidden, "the hidden size");
  block.attention.head_size = block.hidden / block.attention.heads;
  block.attention.rotary = false;
  block.attention.joined = true;
  return spec;
}

}  // namespace

ModelRecipe read_bloom_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_sizes(config, {"hidden_size", "n_embed"}, {"n_layer", "num_hidden_layers"},
                                {"n_head", "num_attention_heads"});
  BlockSpec& block = spec.block;
  block.norm_bias = block.attention.bias = block.attention.output_bias = true;
  block.feed_forward = {4 * block.hidden, false, true};
  spec.embedding_norm = true;
  return recipe_of(spec);
}

// Keys and values: one head with multi_query; as stated in the new architecture, which also has a norm for
// each part.
ModelRecipe read_falcon_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_sizes(config, {"hidden_size"}, {"num_hidden_layers", "n_layer"},
                                {"num_attention_heads", "n_head"});
  BlockSpec& block = spec.block;
  const bool recent = config.flag("new_decoder_architecture", false);
  if (recent) {
    block.attention.key_value_heads = config.size_or({"num_kv_heads", "n_head_kv"}, block.attention.heads);
    config.must_divide({"num_kv_heads", "n_head_kv"}, block.attention.key_value_heads, block.attention.heads,
                       "num_attention_heads");
  } else if (config.flag("multi_query", true)) {
    block.attention.key_value_heads = 1;
  }
  block.norm_bias = true;
  block.attention.bias = block.attention.output_bias = config.flag("bias", false);
  block.attention.rotary = !config.flag("alibi", false);
  block.feed_forward = {config.size_or({"ffn_hidden_size"}, 4 * block.hidden), false, block.attention.bias};
  block.parallel = recent || config.flag("parallel_attn", true);
  block.parallel_norms = recent && config.size_or({"num_ln_in_parallel_attn"}, 2) == 2;
  return recipe_of(spec);
}

ModelRecipe read_mpt_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_sizes(config, {"d_model"}, {"n_layers"}, {"n_heads"});
  BlockSpec& block = spec.block;
  const bool bias = !config.flag("no_bias", true);
  double ratio = 4;
  if (const auto given = config.find({"expansion_ratio"})) ratio = given->number(0.1, 64);
  bool alibi = true;
  if (const auto part = config.find({"attn_config"})) {
    HuggingFaceConfig attention(*part);
    alibi = attention.flag("alibi", true);
    block.attention.key_value_heads = attention.text("attn_type", "") == "multiquery_attention"
                                          ? 1
                                          : attention.size_or({"kv_n_heads"}, block.attention.heads);
    attention.must_divide({"kv_n_heads"}, block.attention.key_value_heads, block.attention.heads, "n_heads");
  }
  block.norm_bias = block.attention.bias = block.attention.output_bias = bias;
  block.feed_forward = {std::max(1LL, std::llround(ratio * static_cast<double>(block.hidden))), false, bias};
  if (!alibi && config.flag("learned_pos_emb", true)) {
    spec.learned_positions = config.length({"max_seq_len"});
    spec.positions = spec.learned_positions;
  }
  return recipe_of(spec);
}

}  // namespace paceline
