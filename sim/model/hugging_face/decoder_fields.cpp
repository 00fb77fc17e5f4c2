#include "sim/model/hugging_face/decoder_fields.h"

#include <algorithm>

#include "sim/model/recipe_fields.h"

namespace paceline {

void set_sequence(DecoderSpec& spec) {
  constexpr std::int64_t usual = 4096;
  spec.sequence = std::min(spec.positions, usual);
}

DecoderSpec read_decoder_sizes(HuggingFaceConfig& config, bool tied) {
  DecoderSpec spec;
  spec.layers = config.layers({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  spec.vocabulary = config.length({"vocab_size"});
  spec.positions = config.length({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"});
  set_sequence(spec);
  spec.tied = config.flag("tie_word_embeddings", tied);

  BlockSpec& block = spec.block;
  block.hidden = config.size({"hidden_size", "n_embd", "d_model"});
  AttentionSpec& attention = block.attention;
  attention.heads = config.size({"num_attention_heads", "n_head", "n_heads"});
  attention.key_value_heads = config.size_or({"num_key_value_heads"}, attention.heads);
  config.must_divide({"num_key_value_heads"}, attention.key_value_heads, attention.heads,
                     "num_attention_heads");
  if (const auto size = config.find({"head_dim"})) {
    attention.head_size = size->integer(1, most_width);
  } else {
    config.must_divide({"num_attention_heads", "n_head", "n_heads"}, attention.heads, block.hidden,
                       "the hidden size");
    attention.head_size = block.hidden / attention.heads;
  }
  return spec;
}

DecoderSpec read_llama_sizes(HuggingFaceConfig& config, bool tied) {
  DecoderSpec spec = read_decoder_sizes(config, tied);
  spec.block.norm = NormKind::rms;
  spec.block.feed_forward.gated = true;
  return spec;
}

ModelRecipe recipe_of(const DecoderSpec& spec) { return token_recipe(spec, &build_decoder); }

}  // namespace paceline
