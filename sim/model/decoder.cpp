// Decoders that predict the next token: Llama and its kin, GPT-NeoX, BLOOM, OPT, mixtures of experts,
// DeepSeek.
#include <fmt/format.h>

#include <string>

#include "sim/model/transformer_blocks.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

class Decoder {
 public:
  explicit Decoder(const DecoderSpec& spec)
      : spec_(spec),
        hidden_(spec.block.hidden),
        embedding_(spec.embedding_size > 0 ? spec.embedding_size : spec.block.hidden),
        tokens_(static_cast<double>(spec.sequence)),
        blocks_(writer_, spec.sequence) {}

  Model build() {
    register_parameters();
    embed();
    for (std::int64_t index = 0; index < spec_.layers; ++index)
      blocks_.write_block(block_name(index), block(index));
    head("");
    for (std::int64_t index = 0; index < spec_.predicted_tokens; ++index) predict_further(index);
    return finish();
  }

 private:
  static std::string block_name(std::int64_t index) { return fmt::format("model.layers.{}", index); }
  [[nodiscard]] double stream() const { return tokens_ * static_cast<double>(hidden_); }

  [[nodiscard]] std::int64_t learned_positions() const {
    return spec_.positions_as_sequence ? spec_.sequence : spec_.learned_positions;
  }

  [[nodiscard]] BlockSpec block(std::int64_t index) const {
    BlockSpec block = spec_.block;
    if (index < spec_.dense_layers) {
      block.experts.reset();
      block.feed_forward.width = spec_.dense_width;
    }
    if ((index + 1) % spec_.window_every == 0 && spec_.window_every > 1) block.attention.window = 0;
    return block;
  }

  void register_parameters() {
    writer_.parameter("model.embed_tokens.weight", spec_.vocabulary * embedding_);
    if (learned_positions() > 0)
      writer_.parameter("model.embed_positions.weight", learned_positions() * hidden_);
    if (embedding_ != hidden_) {
      writer_.linear_parameters("model.project_in", embedding_, hidden_, false);
      writer_.linear_parameters("model.project_out", hidden_, embedding_, false);
    }
    if (spec_.embedding_norm) blocks_.register_norm("model.embed_norm", spec_.block, hidden_);
    for (std::int64_t index = 0; index < spec_.layers; ++index)
      blocks_.register_block(block_name(index), block(index));
    if (spec_.final_norm) blocks_.register_norm("model.norm", spec_.block, hidden_);
    if (!spec_.tied) writer_.parameter("lm_head.weight", spec_.vocabulary * embedding_);
    if (spec_.head_bias) writer_.parameter("lm_head.bias", spec_.vocabulary);
    for (std::int64_t index = 0; index < spec_.predicted_tokens; ++index) {
      const std::string name = further_name(index);
      for (const char* norm : {".embed_norm", ".hidden_norm"})
        blocks_.register_norm(name + norm, spec_.block, hidden_);
      writer_.linear_parameters(name + ".project", 2 * hidden_, hidden_, false);
      blocks_.register_block(name + ".block", spec_.block);
      blocks_.register_norm(name + ".norm", spec_.block, hidden_);
    }
  }

  void embed() {
    const double elements = tokens_ * static_cast<double>(embedding_);
    std::vector<std::string> tables{"model.embed_tokens.weight"};
    double lookups = 1;
    if (learned_positions() > 0) {
      tables.emplace_back("model.embed_positions.weight");
      lookups = 2;
    }
    const double moved = 3 * lookups * elements, mask = spec_.block.dropout ? elements : 0;
    const int kernels = static_cast<int>(2 * lookups) - 1;
    Layer& layer =
        writer_.layer("model.embed_tokens", Traffic{"embedding", moved, moved, kernels, kernels + 1}, tables);
    layer.saved_bytes = mask + token_id_bytes * lookups * tokens_;  // dropout mask, indices
    layer.split = Split::vocabulary;
    if (embedding_ != hidden_) writer_.linear("model.project_in", tokens_, embedding_, hidden_);
    if (spec_.embedding_norm) blocks_.write_norm("model.embed_norm", spec_.block, hidden_);
  }

  // Logits and loss of every position.
  void head(const std::string& prefix) {
    if (prefix.empty() && spec_.final_norm) blocks_.write_norm("model.norm", spec_.block, hidden_);
    if (embedding_ != hidden_) writer_.linear("model.project_out", tokens_, hidden_, embedding_);
    std::vector<std::string> own;
    if (prefix.empty() && !spec_.tied) own.emplace_back("lm_head.weight");
    if (prefix.empty() && spec_.head_bias) own.emplace_back("lm_head.bias");
    Layer& logits = writer_.layer(prefix + "lm_head", Linear{tokens_, embedding_, spec_.vocabulary}, own);
    logits.saved_elements = tokens_ * static_cast<double>(embedding_);
    logits.split = Split::vocabulary;
    const double log_softmax = 4 * tokens_ * static_cast<double>(spec_.vocabulary);  // fp32
    Layer& loss = writer_.layer(prefix + "loss", VocabularyLoss{tokens_, spec_.vocabulary});
    loss.saved_bytes = log_softmax + token_id_bytes * tokens_;
    loss.split = Split::vocabulary;
  }

  static std::string further_name(std::int64_t index) { return fmt::format("model.further.{}", index); }

  // Multi-token prediction (DeepSeek-AI 2024): the stream and the embedding of the next token, each normed,
  // joined and projected; a block; embedding and head are those of the model.
  void predict_further(std::int64_t index) {
    const std::string name = further_name(index);
    const std::size_t lead = writer_.model().layers.size();
    writer_.layer(name + ".embed", Traffic{"embedding", 3 * stream(), 3 * stream(), 1, 2}).saved_bytes =
        token_id_bytes * tokens_;
    for (const char* norm : {".embed_norm", ".hidden_norm"})
      blocks_.write_norm(name + norm, spec_.block, hidden_);
    writer_.linear(name + ".project", tokens_, 2 * hidden_, hidden_);
    blocks_.write_block(name + ".block", spec_.block);
    writer_.model().blocks.back().lead_layer = lead;
    blocks_.write_norm(name + ".norm", spec_.block, hidden_);
    head(name + ".");
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.tied_head = spec_.tied;
    model.input_bytes = token_id_bytes * tokens_;
    model.output_elements = tokens_ * static_cast<double>(spec_.vocabulary);
    // 13 a layer; both models, embedding, rotary table, the list, the final norm, the head.
    model.modules = 13 * (spec_.layers + spec_.predicted_tokens) + 7;
    return writer_.finish();
  }

  const DecoderSpec& spec_;
  std::int64_t hidden_, embedding_;
  double tokens_;
  ModelWriter writer_;
  TransformerBlocks blocks_;
};

}  // namespace

Model build_decoder(const DecoderSpec& spec) { return Decoder(spec).build(); }

}  // namespace paceline
