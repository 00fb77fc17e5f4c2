// Decoders with RMS norms, rotary positions and gates.
#include "sim/model/hugging_face/decoder_fields.h"
#include "sim/model/hugging_face/hugging_face.h"

namespace paceline {
namespace {

DecoderSpec read_gated(HuggingFaceConfig& config, bool tied) {
  DecoderSpec spec = read_llama_sizes(config, tied);
  spec.block.feed_forward.width = config.size({"intermediate_size"});
  return spec;
}

ModelRecipe read_llama_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_gated(config, false);
  spec.block.attention.bias = spec.block.attention.output_bias = config.flag("attention_bias", false);
  spec.block.feed_forward.bias = config.flag("mlp_bias", false);
  return recipe_of(spec);
}

ModelRecipe read_mistral_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_gated(config, false);
  spec.block.attention.window = config.count_or("sliding_window", 0);
  return recipe_of(spec);
}

// Its first max_window_layers attend to all positions even where the window is in use; which ones they are
// decides little, so such files are refused rather than guessed at.
void refuse_windows(HuggingFaceConfig& config) {
  if (config.flag("use_sliding_window", false))
    config.refuse("use_sliding_window", "false", "set it to false: attention over all positions");
}

ModelRecipe read_qwen2_config(HuggingFaceConfig& config) {
  refuse_windows(config);
  DecoderSpec spec = read_gated(config, false);
  spec.block.attention.bias = true;
  return recipe_of(spec);
}

ModelRecipe read_qwen3_config(HuggingFaceConfig& config) {
  refuse_windows(config);
  DecoderSpec spec = read_gated(config, false);
  spec.block.attention.bias = spec.block.attention.output_bias = config.flag("attention_bias", false);
  spec.block.attention.head_norm = true;
  return recipe_of(spec);
}

ModelRecipe read_gemma_config(HuggingFaceConfig& config) { return recipe_of(read_gated(config, true)); }

ModelRecipe read_gemma2_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_gated(config, true);
  spec.block.norm_both = true;
  spec.block.attention.window = config.size_or({"sliding_window"}, 4096);
  spec.window_every = 2;
  return recipe_of(spec);
}

ModelRecipe read_gemma3_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_gated(config, true);
  spec.block.norm_both = spec.block.attention.head_norm = true;
  spec.block.attention.window = config.size_or({"sliding_window"}, 4096);
  spec.window_every = config.size_or({"sliding_window_pattern"}, 6);
  return recipe_of(spec);
}

ModelRecipe read_phi3_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_gated(config, false);
  spec.block.attention.joined = true;
  spec.block.attention.window = config.count_or("sliding_window", 0);
  return recipe_of(spec);
}

}  // namespace

const std::vector<HuggingFaceFamily>& gated_decoder_families() {
  static const std::vector<HuggingFaceFamily> families{
      {"gemma", &read_gemma_config}, {"gemma2", &read_gemma2_config},   {"gemma3_text", &read_gemma3_config},
      {"llama", &read_llama_config}, {"mistral", &read_mistral_config}, {"phi3", &read_phi3_config},
      {"qwen2", &read_qwen2_config}, {"qwen3", &read_qwen3_config}};
  return families;
}

}  // namespace paceline
