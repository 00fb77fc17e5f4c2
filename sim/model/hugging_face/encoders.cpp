// Encoders and encoders with decoders: with the heads of their pre-training, ViT with its classifier.
#include <algorithm>
#include <string>

#include "sim/model/builders.h"
#include "sim/model/hugging_face/decoder_fields.h"
#include "sim/model/hugging_face/hugging_face.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

constexpr std::int64_t usual_sequence = 512;

BertSpec read_bert_sizes(HuggingFaceConfig& config) {
  BertSpec spec;
  spec.layers = config.layers({"num_hidden_layers", "n_layers"});
  spec.hidden = config.size({"hidden_size", "dim"});
  spec.heads = config.size({"num_attention_heads", "n_heads"});
  config.must_divide({"num_attention_heads", "n_heads"}, spec.heads, spec.hidden, "the hidden size");
  spec.feed_forward = config.size({"intermediate_size", "hidden_dim"});
  spec.vocabulary = config.length({"vocab_size"});
  spec.positions = config.length({"max_position_embeddings"});
  spec.sequence = std::min(spec.positions, usual_sequence);
  return spec;
}

ModelRecipe read_bert_config(HuggingFaceConfig& config) {
  BertSpec spec = read_bert_sizes(config);
  spec.token_types = config.count_or("type_vocab_size", 2);
  return bert_recipe(spec);
}

ModelRecipe read_roberta_config(HuggingFaceConfig& config) {
  BertSpec spec = read_bert_sizes(config);
  spec.token_types = config.count_or("type_vocab_size", 2);
  spec.next_sentence = false;
  return bert_recipe(spec);
}

ModelRecipe read_distilbert_config(HuggingFaceConfig& config) {
  BertSpec spec = read_bert_sizes(config);
  spec.token_types = 0;
  spec.next_sentence = false;
  return bert_recipe(spec);
}

// The discriminator, with the head of its pre-training.
ModelRecipe read_electra_config(HuggingFaceConfig& config) {
  const BertSpec sizes = read_bert_sizes(config);
  ElectraSpec spec;
  static_cast<TransformerSpec&>(spec) = sizes;
  spec.embedding = config.size_or({"embedding_size"}, sizes.hidden);
  return token_recipe(spec, &build_electra);
}

ModelRecipe read_vit_config(HuggingFaceConfig& config) {
  VitSpec spec;
  spec.layers = config.layers({"num_hidden_layers"});
  spec.hidden = config.size({"hidden_size"});
  spec.heads = config.size({"num_attention_heads"});
  config.must_divide({"num_attention_heads"}, spec.heads, spec.hidden, "the hidden size");
  spec.feed_forward = config.size({"intermediate_size"});
  spec.patch = config.size({"patch_size"});
  spec.image = config.size({"image_size"});
  if (spec.patch > spec.image) config.refuse("patch_size", "at most image_size", "correct one of the two");
  spec.classes = config.size_or({"num_labels"}, 2);
  if (const auto labels = config.find({"id2label"}))
    spec.classes = static_cast<std::int64_t>(labels->object().all_names().size());
  return image_recipe(spec, &build_vit);
}

ModelRecipe read_t5_config(HuggingFaceConfig& config) {
  EncoderDecoderSpec spec;
  spec.encoder_layers = config.layers({"num_layers"});
  spec.decoder_layers = config.size_or({"num_decoder_layers"}, spec.encoder_layers);
  spec.vocabulary = config.length({"vocab_size"});
  spec.positions = most_classes;  // relative ones: nothing limits the sequence
  spec.sequence = config.size_or({"n_positions"}, usual_sequence);
  spec.relative_buckets = config.size_or({"relative_attention_num_buckets"}, 32);
  spec.final_norm = true;
  spec.tied = config.flag("tie_word_embeddings", true);
  BlockSpec& block = spec.block;
  block.hidden = config.size({"d_model"});
  block.attention.heads = block.attention.key_value_heads = config.size({"num_heads"});
  block.attention.head_size = config.size({"d_kv"});
  block.attention.rotary = block.attention.fused = false;
  block.feed_forward.width = config.size({"d_ff"});
  block.feed_forward.gated = config.text("feed_forward_proj", "relu").starts_with("gated");
  block.dropout = block.attention.dropout = true;
  return token_recipe(spec, &build_encoder_decoder);
}

ModelRecipe read_bart_config(HuggingFaceConfig& config) {
  constexpr std::int64_t offset = 2;  // rows of the position tables that BART never uses
  EncoderDecoderSpec spec;
  spec.encoder_layers = config.layers({"encoder_layers"});
  spec.decoder_layers = config.layers({"decoder_layers"});
  spec.vocabulary = config.length({"vocab_size"});
  spec.positions = config.length({"max_position_embeddings"});
  spec.sequence = std::min(spec.positions, usual_sequence);
  spec.learned_positions = spec.positions + offset;
  spec.embedding_norm = spec.tied = true;
  BlockSpec& block = spec.block;
  block.hidden = config.size({"d_model"});
  block.attention.heads = block.attention.key_value_heads = config.size({"encoder_attention_heads"});
  config.must_divide({"encoder_attention_heads"}, block.attention.heads, block.hidden, "d_model");
  block.attention.head_size = block.hidden / block.attention.heads;
  block.attention.rotary = block.attention.fused = false;
  block.attention.bias = block.attention.output_bias = true;
  block.norm = NormKind::layer;
  block.norm_bias = block.norm_after = true;
  block.dropout = block.attention.dropout = true;
  block.feed_forward = {config.size({"encoder_ffn_dim"}), false, true};
  for (const char* field : {"decoder_attention_heads", "decoder_ffn_dim"}) {
    const bool is_heads = std::string(field).find("heads") != std::string::npos;
    const std::int64_t expected = is_heads ? block.attention.heads : block.feed_forward.width;
    if (config.size_or({field}, expected) != expected)
      config.refuse(field, "the encoder's, " + std::to_string(expected),
                    "describe the model in a file of scenarios/models instead");
  }
  return token_recipe(spec, &build_encoder_decoder);
}

}  // namespace

const std::vector<HuggingFaceFamily>& encoder_families() {
  static const std::vector<HuggingFaceFamily> families{{"bart", &read_bart_config},
                                                       {"bert", &read_bert_config},
                                                       {"distilbert", &read_distilbert_config},
                                                       {"electra", &read_electra_config},
                                                       {"roberta", &read_roberta_config},
                                                       {"t5", &read_t5_config},
                                                       {"vit", &read_vit_config}};
  return families;
}

}  // namespace paceline
