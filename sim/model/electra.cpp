// ELECTRA (Clark et al. 2020): a small generator fills masked positions, a discriminator says of every token
// whether it was replaced. Registered as transformers' ElectraForPreTraining, then the generator as
// ElectraForMaskedLM; they share the embeddings.
#include <fmt/format.h>

#include <cmath>

#include "sim/model/builders.h"
#include "sim/model/transformer_blocks.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

constexpr double masked_share = 0.15;

BlockSpec block_of(std::int64_t hidden, std::int64_t heads, std::int64_t feed_forward) {
  BlockSpec block;
  block.hidden = hidden;
  block.norm = NormKind::layer;
  block.norm_bias = block.norm_after = block.dropout = true;
  AttentionSpec& attention = block.attention;
  attention.heads = attention.key_value_heads = heads;
  attention.head_size = hidden / heads;
  attention.bias = attention.output_bias = attention.dropout = true;
  attention.rotary = attention.causal = attention.fused = false;
  block.feed_forward = {feed_forward, false, true};
  return block;
}

class Electra {
 public:
  explicit Electra(const ElectraSpec& spec)
      : spec_(spec),
        tokens_(static_cast<double>(spec.sequence)),
        embedded_(tokens_ * static_cast<double>(spec.embedding)),
        masked_(std::ceil(masked_share * tokens_)),
        blocks_(writer_, spec.sequence),
        discriminator_(block_of(spec.hidden, spec.heads, spec.feed_forward)) {
    if (spec.generator_hidden > 0)
      generator_ = block_of(spec.generator_hidden, spec.generator_heads, spec.generator_feed_forward);
  }

  Model build() {
    const bool generates = spec_.generator_hidden > 0;
    register_embeddings();
    register_encoder("electra", discriminator_);
    writer_.linear_parameters("discriminator_predictions.dense", spec_.hidden, spec_.hidden);
    writer_.linear_parameters("discriminator_predictions.dense_prediction", spec_.hidden, 1);
    if (generates) register_generator();
    embed("embeddings", true);
    if (generates) {
      encoder("generator", generator_);
      generator_head();
      embed("embeddings.replaced", false);
    }
    encoder("electra", discriminator_);
    discriminator_head();
    return finish();
  }

 private:
  void register_embeddings() {
    writer_.parameter("embeddings.word_embeddings.weight", spec_.vocabulary * spec_.embedding);
    writer_.parameter("embeddings.position_embeddings.weight", spec_.positions * spec_.embedding);
    writer_.parameter("embeddings.token_type_embeddings.weight", 2 * spec_.embedding);
    writer_.norm_parameters("embeddings.LayerNorm", spec_.embedding);
  }

  void register_encoder(const std::string& name, const BlockSpec& block) {
    if (block.hidden != spec_.embedding)
      writer_.linear_parameters(name + ".embeddings_project", spec_.embedding, block.hidden);
    for (std::int64_t index = 0; index < spec_.layers; ++index)
      blocks_.register_block(fmt::format("{}.layer.{}", name, index), block);
  }

  void register_generator() {
    register_encoder("generator", generator_);
    writer_.norm_parameters("generator_predictions.LayerNorm", spec_.embedding);
    writer_.linear_parameters("generator_predictions.dense", spec_.generator_hidden, spec_.embedding);
    writer_.parameter("generator_lm_head.bias", spec_.vocabulary);
  }

  // Three look-ups, two sums, norm, dropout.
  void embed(const std::string& name, bool owns) {
    std::vector<std::string> tables;
    if (owns)
      tables = {"embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight",
                "embeddings.token_type_embeddings.weight", "embeddings.LayerNorm.weight",
                "embeddings.LayerNorm.bias"};
    Layer& layer = writer_.layer(name, Traffic{"embedding", 8 * embedded_, 8 * embedded_, 7, 8}, tables);
    layer.saved_elements = embedded_;
    layer.saved_bytes = embedded_ + 3 * token_id_bytes * tokens_;
    layer.split = Split::vocabulary;
  }

  void encoder(const std::string& name, const BlockSpec& block) {
    if (block.hidden != spec_.embedding)
      writer_.linear(name + ".embeddings_project", tokens_, spec_.embedding, block.hidden);
    for (std::int64_t index = 0; index < spec_.layers; ++index)
      blocks_.write_block(fmt::format("{}.layer.{}", name, index), block);
  }

  void generator_head() {
    const double rows = masked_ * static_cast<double>(spec_.embedding);
    writer_.linear("generator_predictions.dense", masked_, spec_.generator_hidden, spec_.embedding);
    writer_
        .layer_with_own_parameters("generator_predictions.LayerNorm",
                                   Traffic{"gelu, layer norm", 8 * rows, 8 * rows, 3, 4})
        .saved_elements = 2 * rows;
    Layer& logits = writer_.layer("generator_lm_head", Linear{masked_, spec_.embedding, spec_.vocabulary},
                                  {"generator_lm_head.bias"});
    logits.saved_elements = rows;
    logits.split = Split::vocabulary;
    Layer& loss = writer_.layer("loss.masked_tokens", VocabularyLoss{masked_, spec_.vocabulary});
    loss.saved_bytes = (4 * static_cast<double>(spec_.vocabulary) + token_id_bytes) * masked_;
    loss.split = Split::vocabulary;
  }

  void discriminator_head() {
    const double stream = tokens_ * static_cast<double>(spec_.hidden);
    writer_.linear("discriminator_predictions.dense", tokens_, spec_.hidden, spec_.hidden);
    writer_.layer("discriminator_predictions.gelu", Traffic{"bias, gelu", 4 * stream, 4 * stream, 2, 2})
        .saved_elements = stream;
    writer_.linear("discriminator_predictions.dense_prediction", tokens_, spec_.hidden, 1);
    writer_.layer("loss.replaced_tokens", Traffic{"loss", 4 * tokens_, 4 * tokens_, 2, 2}).saved_elements =
        2 * tokens_;
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::encoder;
    model.sequence = spec_.sequence;
    model.tied_head = spec_.generator_hidden > 0;
    model.input_bytes = 3 * token_id_bytes * tokens_;
    model.output_elements = tokens_;
    model.modules = (spec_.generator_hidden > 0 ? 2 : 1) * (18 * spec_.layers + 9);
    return writer_.finish();
  }

  const ElectraSpec& spec_;
  double tokens_, embedded_, masked_;
  ModelWriter writer_;
  TransformerBlocks blocks_;
  BlockSpec discriminator_, generator_;
};

}  // namespace

Model build_electra(const ElectraSpec& spec) { return Electra(spec).build(); }

}  // namespace paceline
