#include "sim/model/hugging_face/hugging_face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/file.h"
#include "tests/sim/model/catalog.h"
#include "tests/sim/model/hugging_face/configs.h"

namespace paceline {
namespace {

struct Published {
  const char* name;
  std::int64_t parameters;
  const char* config;
};
void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class HuggingFaceConfigs : public ::testing::TestWithParam<Published> {};

// Counts are those of the published checkpoints.
TEST_P(HuggingFaceConfigs, GiveThePublishedNumberOfParameters) {
  EXPECT_EQ(model_of(GetParam().config).parameter_count(), GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(
    Gated, HuggingFaceConfigs,
    ::testing::Values(
        Published{"qwen2", 494032768, qwen2_config},
        Published{"llama", 8030261248, R"({"model_type": "llama", "hidden_size": 4096,
            "intermediate_size": 14336, "max_position_embeddings": 8192, "num_attention_heads": 32,
            "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256, "rope_scaling": null})"},
        Published{"llama_without_groups", 6738415616, R"({"model_type": "llama", "hidden_size": 4096,
            "intermediate_size": 11008, "max_position_embeddings": 4096, "num_attention_heads": 32,
            "num_hidden_layers": 32, "vocab_size": 32000, "pretraining_tp": 1})"},
        Published{"mistral", 7241732096, R"({"model_type": "mistral", "hidden_size": 4096,
            "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32,
            "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": 4096, "vocab_size": 32000})"},
        Published{"qwen3", 596049920, R"({"model_type": "qwen3", "attention_bias": false, "head_dim": 128,
            "hidden_size": 1024, "intermediate_size": 3072, "max_position_embeddings": 40960,
            "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
            "tie_word_embeddings": true, "use_sliding_window": false, "vocab_size": 151936})"},
        Published{"gemma", 2506172416, R"({"model_type": "gemma", "head_dim": 256, "hidden_size": 2048,
            "intermediate_size": 16384, "max_position_embeddings": 8192, "num_attention_heads": 8,
            "num_hidden_layers": 18, "num_key_value_heads": 1, "vocab_size": 256000})"},
        Published{"gemma2", 2614341888, R"({"model_type": "gemma2", "head_dim": 256, "hidden_size": 2304,
            "intermediate_size": 9216, "max_position_embeddings": 8192, "num_attention_heads": 8,
            "num_hidden_layers": 26, "num_key_value_heads": 4, "sliding_window": 4096, "vocab_size": 256000})"},
        Published{"gemma3_text", 999885952, R"({"model_type": "gemma3_text", "head_dim": 256,
            "hidden_size": 1152, "intermediate_size": 6912, "max_position_embeddings": 32768,
            "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
            "sliding_window": 512, "sliding_window_pattern": 6, "vocab_size": 262144})"},
        Published{"phi3", 3821079552, R"({"model_type": "phi3", "hidden_size": 3072,
            "intermediate_size": 8192, "max_position_embeddings": 4096, "num_attention_heads": 32,
            "num_hidden_layers": 32, "num_key_value_heads": 32, "sliding_window": 2047, "vocab_size": 32064})"}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Plain, HuggingFaceConfigs,
    ::testing::Values(
        Published{"gpt2", 124439808, gpt2_config},
        Published{"gptj", 6050882784, R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_inner": null,
            "n_layer": 28, "n_positions": 2048, "rotary": true, "rotary_dim": 64, "vocab_size": 50400,
            "tie_word_embeddings": false})"},
        Published{"gpt_neox", 20554567680, R"({"model_type": "gpt_neox", "hidden_size": 6144,
            "intermediate_size": 24576, "max_position_embeddings": 2048, "num_attention_heads": 64,
            "num_hidden_layers": 44, "rotary_pct": 0.25, "use_parallel_residual": true, "vocab_size": 50432})"},
        Published{"opt", 125239296, R"({"model_type": "opt", "do_layer_norm_before": true, "ffn_dim": 3072,
            "hidden_size": 768, "max_position_embeddings": 2048, "num_attention_heads": 12,
            "num_hidden_layers": 12, "vocab_size": 50272, "word_embed_proj_dim": 768})"},
        Published{"opt_with_a_smaller_embedding", 331196416, R"({"model_type": "opt",
            "do_layer_norm_before": false, "ffn_dim": 4096, "hidden_size": 1024,
            "max_position_embeddings": 2048, "num_attention_heads": 16, "num_hidden_layers": 24,
            "vocab_size": 50272, "word_embed_proj_dim": 512})"},
        Published{"bloom", 559214592, R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24,
            "num_attention_heads": 16, "vocab_size": 250880, "seq_length": 2048})"},
        Published{"mpt", 6649286656, R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "n_layers": 32,
            "expansion_ratio": 4, "max_seq_len": 2048, "no_bias": true, "learned_pos_emb": true,
            "attn_config": {"alibi": true, "attn_type": "multihead_attention"}, "vocab_size": 50432})"},
        Published{"falcon", 6921720704, R"({"model_type": "falcon", "hidden_size": 4544, "multi_query": true,
            "new_decoder_architecture": false, "num_attention_heads": 71, "num_hidden_layers": 32,
            "parallel_attn": true, "bias": false, "alibi": false, "vocab_size": 65024})"},
        Published{"phi", 2779683840, R"({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240,
            "max_position_embeddings": 2048, "num_attention_heads": 32, "num_hidden_layers": 32,
            "num_key_value_heads": 32, "vocab_size": 51200})"},
        Published{"starcoder2", 3030371328, R"({"model_type": "starcoder2", "hidden_size": 3072,
            "intermediate_size": 12288, "max_position_embeddings": 16384, "num_attention_heads": 24,
            "num_hidden_layers": 30, "num_key_value_heads": 2, "sliding_window": 4096, "use_bias": true,
            "vocab_size": 49152})"}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Mixtures, HuggingFaceConfigs,
    ::testing::Values(
        Published{"deepseek_v3", 671026419200, deepseek_v3_config},
        Published{"deepseek_v2", 15706484224, R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1,
            "hidden_size": 2048, "intermediate_size": 10944, "kv_lora_rank": 512,
            "max_position_embeddings": 163840, "moe_intermediate_size": 1408, "n_routed_experts": 64,
            "n_shared_experts": 2, "num_attention_heads": 16, "num_experts_per_tok": 6,
            "num_hidden_layers": 27, "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
            "v_head_dim": 128, "vocab_size": 102400})"},
        Published{"mixtral", 46702792704, R"({"model_type": "mixtral", "hidden_size": 4096,
            "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32,
            "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
            "num_local_experts": 8, "router_aux_loss_coef": 0.02, "sliding_window": null,
            "vocab_size": 32000})"},
        Published{"qwen2_moe", 14315784192, R"({"model_type": "qwen2_moe", "decoder_sparse_step": 1,
            "hidden_size": 2048, "intermediate_size": 5632, "max_position_embeddings": 8192,
            "moe_intermediate_size": 1408, "num_attention_heads": 16, "num_experts": 60,
            "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 16,
            "shared_expert_intermediate_size": 5632, "vocab_size": 151936})"},
        Published{"qwen3_moe", 30532122624, R"({"model_type": "qwen3_moe", "decoder_sparse_step": 1,
            "head_dim": 128, "hidden_size": 2048, "intermediate_size": 6144, "max_position_embeddings": 40960,
            "mlp_only_layers": [], "moe_intermediate_size": 768, "num_attention_heads": 32,
            "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4,
            "vocab_size": 151936})"},
        Published{"gpt_oss", 20914757184, R"({"model_type": "gpt_oss", "attention_bias": true, "head_dim": 64,
            "hidden_size": 2880, "intermediate_size": 2880, "max_position_embeddings": 131072,
            "num_attention_heads": 64, "num_experts_per_tok": 4, "num_hidden_layers": 24,
            "num_key_value_heads": 8, "num_local_experts": 32, "sliding_window": 128,
            "vocab_size": 201088})"}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Encoders, HuggingFaceConfigs,
    ::testing::Values(
        Published{"bert", 110106428, R"({"model_type": "bert", "hidden_size": 768, "intermediate_size": 3072,
            "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 12,
            "type_vocab_size": 2, "vocab_size": 30522})"},
        Published{"roberta", 124697433, R"({"model_type": "roberta", "hidden_size": 768,
            "intermediate_size": 3072, "max_position_embeddings": 514, "num_attention_heads": 12,
            "num_hidden_layers": 12, "type_vocab_size": 1, "vocab_size": 50265})"},
        Published{"distilbert", 66985530, R"({"model_type": "distilbert", "dim": 768, "hidden_dim": 3072,
            "max_position_embeddings": 512, "n_heads": 12, "n_layers": 6, "vocab_size": 30522})"},
        // By hand: (30,522 + 512 + 2 + 2) x 128, projection 129 x 256, 12 layers of 12 h^2 + 13 h, head
        // 257 x 256 + 257.
        Published{"electra", 31038 * 128 + 129 * 256 + 12 * 789760 + 257 * 257,
                  R"({"model_type": "electra", "embedding_size": 128,
            "hidden_size": 256, "intermediate_size": 1024, "max_position_embeddings": 512,
            "num_attention_heads": 4, "num_hidden_layers": 12, "vocab_size": 30522})"},
        Published{"t5", 60506624, R"({"model_type": "t5", "d_ff": 2048, "d_kv": 64, "d_model": 512,
            "n_positions": 512, "num_heads": 8, "num_layers": 6, "relative_attention_num_buckets": 32,
            "vocab_size": 32128})"},
        Published{"t5_gated_untied", 247577856,
                  R"({"model_type": "t5", "d_ff": 2048, "d_kv": 64, "d_model": 768,
            "feed_forward_proj": "gated-gelu", "num_decoder_layers": 12, "num_heads": 12, "num_layers": 12,
            "tie_word_embeddings": false, "vocab_size": 32128})"},
        Published{"bart", 139420416, R"({"model_type": "bart", "d_model": 768, "decoder_attention_heads": 12,
            "decoder_ffn_dim": 3072, "decoder_layers": 6, "encoder_attention_heads": 12,
            "encoder_ffn_dim": 3072, "encoder_layers": 6, "max_position_embeddings": 1024,
            "vocab_size": 50265})"},
        // The classifier of 2 classes: 85,798,656 of the net and 1,538.
        Published{"vit", 85800194, R"({"model_type": "vit", "hidden_size": 768, "image_size": 224,
            "intermediate_size": 3072, "num_attention_heads": 12, "num_hidden_layers": 12,
            "patch_size": 16})"}),
    [](const auto& test) { return std::string(test.param.name); });

std::string refusal_of(const std::string& config) {
  try {
    (void)model_of(config);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string with(std::string config, const std::string& field, const std::string& replacement) {
  const std::size_t at = config.find(field);
  EXPECT_NE(at, std::string::npos) << field;
  return config.replace(at, field.size(), replacement);
}

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(HuggingFaceRefusals, ListTheKnownTypes) {
  const std::string message = refusal_of(R"({"model_type": "mamba2", "hidden_size": 2560})");
  EXPECT_THAT(message, AllOf(HasSubstr("config.json: /model_type"), HasSubstr("mamba2"), HasSubstr("llama"),
                             HasSubstr("deepseek_v3"), HasSubstr("gpt2")));
  EXPECT_THAT(refusal_of("{}"), AllOf(HasSubstr("model_type"), HasSubstr("mixtral")));
}

TEST(HuggingFaceRefusals, NameTheMissingField) {
  EXPECT_THAT(refusal_of(with(qwen2_config, "\"hidden_size\"", "\"hiden_size\"")),
              AllOf(HasSubstr("hidden_size"), HasSubstr("add it")));
  EXPECT_THAT(refusal_of(with(deepseek_v3_config, "\"kv_lora_rank\": 512,", "")), HasSubstr("kv_lora_rank"));
}

TEST(HuggingFaceRefusals, NameTheFieldThatContradictsAnother) {
  EXPECT_THAT(refusal_of(with(qwen2_config, "heads\": 14", "heads\": 13")),
              AllOf(HasSubstr("/num_"), HasSubstr("a divisor of")));
  EXPECT_THAT(refusal_of(with(qwen2_config, "value_heads\": 2", "value_heads\": 4")),
              AllOf(HasSubstr("/num_key_value_heads"), HasSubstr("a divisor of num_attention_heads, 14")));
  EXPECT_THAT(refusal_of(with(deepseek_v3_config, "per_tok\": 8", "per_tok\": 257")),
              AllOf(HasSubstr("/num_experts_per_tok"), HasSubstr("256")));
  EXPECT_THAT(refusal_of(with(deepseek_v3_config, "replace\": 3", "replace\": 62")),
              AllOf(HasSubstr("/first_k_dense_replace"), HasSubstr("61")));
}

TEST(HuggingFaceRefusals, ComeForValuesOfTheWrongKind) {
  EXPECT_THAT(refusal_of(with(qwen2_config, "layers\": 24, \"num_key", "layers\": -1, \"num_key")),
              HasSubstr("/num_hidden_layers"));
  EXPECT_THAT(refusal_of(with(qwen2_config, "\"hidden_size\": 896", "\"hidden_size\": \"896\"")),
              HasSubstr("/hidden_size"));
  EXPECT_THAT(refusal_of(with(deepseek_v3_config, "\"moe_layer_freq\": 1", "\"moe_layer_freq\": 2")),
              HasSubstr("/moe_layer_freq"));
  EXPECT_THAT(refusal_of("[1]"), HasSubstr("an object"));
}

// The catalog's DeepSeek-V3 and the published config are the same net: layer by layer, tensor by tensor.
TEST(HuggingFaceConfigs, BuildTheModelsOfTheCatalog) {
  for (const auto& [name, config] :
       {std::pair{"deepseek-v3", deepseek_v3_config}, {"gpt2", gpt2_config}, {"qwen2-0.5b", qwen2_config}}) {
    const Model known = source_model(name, {.sequence = 512});
    const Model read = model_of(config, {.sequence = 512});
    ASSERT_EQ(read.layers.size(), known.layers.size()) << name;
    ASSERT_EQ(read.parameters.size(), known.parameters.size()) << name;
    EXPECT_EQ(read.forward_multiply_adds(), known.forward_multiply_adds()) << name;
    for (std::size_t index = 0; index < read.layers.size(); ++index) {
      EXPECT_EQ(read.layers[index].name, known.layers[index].name);
      EXPECT_EQ(read.layers[index].saved_elements, known.layers[index].saved_elements);
      EXPECT_EQ(multiply_adds(read.layers[index]), multiply_adds(known.layers[index]));
    }
  }
}

TEST(HuggingFaceConfigs, AreReadByTheCatalogUnderTheirPath) {
  const std::string file = ::testing::TempDir() + "paceline_config.json";
  write_file(file, gpt2_config);
  const ModelCatalog catalog = source_catalog();
  const Model model = catalog.build(file);
  EXPECT_EQ(model.name, file);
  EXPECT_EQ(model.title, "gpt2");
  EXPECT_EQ(catalog.input_of(file).sequence, 1024);
  EXPECT_FALSE(catalog.contains(file));
  EXPECT_THROW((void)catalog.build(::testing::TempDir() + "no-such-config.json"), InputError);
}

TEST(HuggingFaceConfigs, AttendToTheWindowsOfTheirLayers) {
  const std::string config = R"({"model_type": "gemma3_text", "head_dim": 64, "hidden_size": 128,
      "intermediate_size": 256, "max_position_embeddings": 4096, "num_attention_heads": 2,
      "num_hidden_layers": 12, "num_key_value_heads": 1, "sliding_window": 512,
      "sliding_window_pattern": 6, "vocab_size": 1000})";
  const Model model = model_of(config);
  for (std::size_t index = 0; index < model.blocks.size(); ++index)
    EXPECT_EQ(model.blocks[index].attention.front().window, (index + 1) % 6 == 0 ? 0 : 512) << index;
}

}  // namespace
}  // namespace paceline
