// Decoders with mixtures of experts.
#include <fmt/format.h>

#include "sim/model/hugging_face/decoder_fields.h"
#include "sim/model/hugging_face/hugging_face.h"

namespace paceline {
namespace {

ExpertSpec read_choice(HuggingFaceConfig& config, HuggingFaceConfig::Names experts, const char* chosen,
                       const char* width) {
  ExpertSpec spec;
  spec.experts = config.size(experts);
  spec.chosen = config.size({chosen});
  if (spec.chosen > spec.experts)
    config.refuse(chosen, fmt::format("at most the experts of a layer, {}", spec.experts),
                  "correct one of the two");
  spec.width = config.size({width});
  return spec;
}

// Layers without experts in other places than the beginning.
void refuse_scattered_layers(HuggingFaceConfig& config) {
  const char* remedy = "describe the model in a file of scenarios/models instead";
  for (const char* step : {"decoder_sparse_step", "moe_layer_freq"})
    if (config.size_or({step}, 1) != 1) config.refuse(step, "1: every layer has experts", remedy);
  if (const auto list = config.find({"mlp_only_layers"}); list && !list->array().empty())
    list->fail("an empty list: every layer has experts", remedy);
}

ModelRecipe read_mixtral_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_llama_sizes(config, false);
  spec.block.attention.window = config.count_or("sliding_window", 0);
  spec.block.experts = read_choice(config, {"num_local_experts"}, "num_experts_per_tok", "intermediate_size");
  return recipe_of(spec);
}

ModelRecipe read_qwen2_moe_config(HuggingFaceConfig& config) {
  refuse_scattered_layers(config);
  DecoderSpec spec = read_llama_sizes(config, false);
  spec.block.attention.bias = config.flag("qkv_bias", true);
  spec.block.experts = read_choice(config, {"num_experts"}, "num_experts_per_tok", "moe_intermediate_size");
  spec.block.experts->shared_width = config.size({"shared_expert_intermediate_size"});
  spec.block.experts->shared_gate = true;
  return recipe_of(spec);
}

ModelRecipe read_qwen3_moe_config(HuggingFaceConfig& config) {
  refuse_scattered_layers(config);
  DecoderSpec spec = read_llama_sizes(config, false);
  spec.block.attention.bias = spec.block.attention.output_bias = config.flag("attention_bias", false);
  spec.block.attention.head_norm = true;
  spec.block.experts = read_choice(config, {"num_experts"}, "num_experts_per_tok", "moe_intermediate_size");
  return recipe_of(spec);
}

LatentSpec read_latent(HuggingFaceConfig& config) {
  LatentSpec latent;
  latent.query_rank = config.size_or({"q_lora_rank"}, 0);
  latent.key_value_rank = config.size({"kv_lora_rank"});
  latent.plain_size = config.size({"qk_nope_head_dim"});
  latent.rotary_size = config.size({"qk_rope_head_dim"});
  latent.value_size = config.size({"v_head_dim"});
  return latent;
}

// Predictions of further tokens (num_nextn_predict_layers) are left out, as transformers leaves them out.
DecoderSpec read_deepseek(HuggingFaceConfig& config) {
  refuse_scattered_layers(config);
  DecoderSpec spec = read_llama_sizes(config, false);
  spec.block.attention.latent = read_latent(config);
  spec.block.attention.key_value_heads = spec.block.attention.heads;
  spec.block.attention.bias = spec.block.attention.output_bias = config.flag("attention_bias", false);
  spec.block.experts =
      read_choice(config, {"n_routed_experts"}, "num_experts_per_tok", "moe_intermediate_size");
  spec.block.experts->shared_width = config.count_or("n_shared_experts", 0) * spec.block.experts->width;
  spec.dense_layers = config.count_or("first_k_dense_replace", 0);
  if (spec.dense_layers > spec.layers)
    config.refuse("first_k_dense_replace", fmt::format("at most the layers, {}", spec.layers),
                  "correct one of the two");
  if (spec.dense_layers > 0) spec.dense_width = config.size({"intermediate_size"});
  return spec;
}

ModelRecipe read_deepseek_v2_config(HuggingFaceConfig& config) { return recipe_of(read_deepseek(config)); }

ModelRecipe read_deepseek_v3_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_deepseek(config);
  spec.block.experts->correction = true;
  return recipe_of(spec);
}

ModelRecipe read_gpt_oss_config(HuggingFaceConfig& config) {
  DecoderSpec spec = read_llama_sizes(config, false);
  AttentionSpec& attention = spec.block.attention;
  attention.bias = attention.output_bias = config.flag("attention_bias", true);
  attention.sinks = true;
  attention.window = config.size_or({"sliding_window"}, 128);
  spec.window_every = 2;
  spec.block.experts = read_choice(config, {"num_local_experts"}, "num_experts_per_tok", "intermediate_size");
  spec.block.experts->bias = true;
  return recipe_of(spec);
}

}  // namespace

const std::vector<HuggingFaceFamily>& mixture_families() {
  static const std::vector<HuggingFaceFamily> families{
      {"deepseek_v2", &read_deepseek_v2_config}, {"deepseek_v3", &read_deepseek_v3_config},
      {"gpt_oss", &read_gpt_oss_config},         {"kimi_k2", &read_deepseek_v3_config},
      {"mixtral", &read_mixtral_config},         {"qwen2_moe", &read_qwen2_moe_config},
      {"qwen3_moe", &read_qwen3_moe_config}};
  return families;
}

}  // namespace paceline
