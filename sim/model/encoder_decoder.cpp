// Encoder and decoder with cross attention: T5, BART, the transformer of Vaswani et al.
#include <fmt/format.h>

#include "sim/model/transformer_blocks.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

class EncoderDecoder {
 public:
  explicit EncoderDecoder(const EncoderDecoderSpec& spec)
      : spec_(spec),
        tokens_(static_cast<double>(spec.sequence)),
        stream_(static_cast<double>(spec.sequence * spec.block.hidden)),
        blocks_(writer_, spec.sequence) {}

  Model build() {
    writer_.parameter("shared.weight", spec_.vocabulary * spec_.block.hidden);
    register_side("encoder", spec_.encoder_layers, false);
    register_side("decoder", spec_.decoder_layers, true);
    if (!spec_.tied) writer_.parameter("lm_head.weight", spec_.vocabulary * spec_.block.hidden);
    side("encoder", spec_.encoder_layers, false);
    // The encoder's output, which every decoder block reads again.
    writer_
        .layer("encoder.output", Traffic{"add", 0, 2 * stream_ * static_cast<double>(spec_.decoder_layers), 0,
                                         static_cast<int>(spec_.decoder_layers)})
        .saved_elements = stream_;
    side("decoder", spec_.decoder_layers, true);
    head();
    return finish();
  }

 private:
  [[nodiscard]] BlockSpec block(bool decodes) const {
    BlockSpec block = spec_.block;
    block.attention.causal = decodes;
    return block;
  }

  void register_side(const std::string& side, std::int64_t layers, bool decodes) {
    if (spec_.learned_positions > 0)
      writer_.parameter(side + ".embed_positions.weight", spec_.learned_positions * spec_.block.hidden);
    if (spec_.relative_buckets > 0)
      writer_.parameter(side + ".relative_bias.weight", spec_.relative_buckets * spec_.block.attention.heads);
    if (spec_.embedding_norm) blocks_.register_norm(side + ".embed_norm", spec_.block, spec_.block.hidden);
    for (std::int64_t index = 0; index < layers; ++index)
      blocks_.register_block(fmt::format("{}.layers.{}", side, index), block(decodes), decodes);
    if (spec_.final_norm) blocks_.register_norm(side + ".norm", spec_.block, spec_.block.hidden);
  }

  void side(const std::string& side, std::int64_t layers, bool decodes) {
    embed(side, decodes);
    for (std::int64_t index = 0; index < layers; ++index)
      blocks_.write_block(fmt::format("{}.layers.{}", side, index), block(decodes),
                          decodes ? spec_.sequence : 0);
    if (spec_.final_norm) blocks_.write_norm(side + ".norm", spec_.block, spec_.block.hidden);
  }

  void embed(const std::string& side, bool decodes) {
    std::vector<std::string> tables;
    if (!decodes) tables.emplace_back("shared.weight");  // its gradient is whole when the encoder's is
    double lookups = 1;
    if (spec_.learned_positions > 0) {
      tables.push_back(side + ".embed_positions.weight");
      lookups = 2;
    }
    const double mask = spec_.block.dropout ? stream_ : 0, moved = 3 * lookups * stream_;
    const int kernels = static_cast<int>(2 * lookups) - 1;
    Layer& layer = writer_.layer(side + ".embed_tokens",
                                 Traffic{"embedding", moved, moved, kernels, kernels + 1}, tables);
    layer.saved_bytes = mask + token_id_bytes * lookups * tokens_;
    layer.split = Split::vocabulary;
    if (spec_.embedding_norm) blocks_.write_norm(side + ".embed_norm", spec_.block, spec_.block.hidden);
    if (spec_.relative_buckets == 0) return;
    // Looked up once for all blocks; they share it.
    const double scores = static_cast<double>(spec_.block.attention.heads) * tokens_ * tokens_;
    writer_.layer(side + ".relative_bias", Traffic{"relative bias", 3 * scores, 3 * scores, 6, 3},
                  {side + ".relative_bias.weight"});
  }

  void head() {
    std::vector<std::string> own;
    if (!spec_.tied) own.emplace_back("lm_head.weight");
    Layer& logits = writer_.layer("lm_head", Linear{tokens_, spec_.block.hidden, spec_.vocabulary}, own);
    logits.saved_elements = stream_;
    logits.split = Split::vocabulary;
    Layer& loss = writer_.layer("loss", VocabularyLoss{tokens_, spec_.vocabulary});
    loss.saved_bytes = (4 * static_cast<double>(spec_.vocabulary) + token_id_bytes) * tokens_;
    loss.split = Split::vocabulary;
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.tied_head = spec_.tied;
    model.input_bytes = 2 * token_id_bytes * tokens_;
    model.output_elements = tokens_ * static_cast<double>(spec_.vocabulary);
    model.modules = 14 * spec_.encoder_layers + 21 * spec_.decoder_layers + 8;
    return writer_.finish();
  }

  const EncoderDecoderSpec& spec_;
  double tokens_, stream_;
  ModelWriter writer_;
  TransformerBlocks blocks_;
};

}  // namespace

Model build_encoder_decoder(const EncoderDecoderSpec& spec) { return EncoderDecoder(spec).build(); }

}  // namespace paceline
