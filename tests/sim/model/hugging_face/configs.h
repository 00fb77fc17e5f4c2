// The shapes in published config.json files, with some of the fields that are no shapes.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/hugging_face/hugging_face.h"

namespace paceline {

inline Model model_of(const std::string& config, const ModelInput& input = {}) {
  const HuggingFaceModel model = read_hugging_face(JsonValue::parse_text(config, "config.json"));
  return model.recipe.build(model.recipe.resolve(input));
}

constexpr const char* qwen2_config = R"({"architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0,
  "bos_token_id": 151643, "hidden_act": "silu", "hidden_size": 896, "initializer_range": 0.02,
  "intermediate_size": 4864, "max_position_embeddings": 131072, "max_window_layers": 24, "model_type": "qwen2",
  "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2, "rms_norm_eps": 1e-06,
  "rope_theta": 1000000.0, "sliding_window": 131072, "tie_word_embeddings": true, "torch_dtype": "bfloat16",
  "use_cache": true, "use_mrope": false, "use_sliding_window": false, "vocab_size": 151936})";

constexpr const char* deepseek_v3_config = R"({"model_type": "deepseek_v3", "attention_bias": false,
  "auto_map": {"AutoModel": "modeling_deepseek.DeepseekV3Model"}, "first_k_dense_replace": 3,
  "hidden_size": 7168, "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840,
  "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 8, "n_routed_experts": 256,
  "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61,
  "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
  "qk_rope_head_dim": 64, "quantization_config": {"fmt": "e4m3"}, "tie_word_embeddings": false,
  "v_head_dim": 128, "vocab_size": 129280})";

constexpr const char* gpt2_config =
    R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"],
  "attn_pdrop": 0.1, "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
  "n_positions": 1024, "n_inner": null, "task_specific_params": {"text-generation": {"max_length": 50}},
  "vocab_size": 50257})";

}  // namespace paceline
