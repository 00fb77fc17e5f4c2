// GPT-2 (Radford et al. 2019), registered as transformers' GPT2LMHeadModel: norms before each part, one
// projection for queries, keys and values, a head tied to the token embedding that runs on every position.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

class Gpt2 {
 public:
  explicit Gpt2(const Gpt2Spec& spec) : spec_(spec), writer_(spec) {}

  Model build() {
    register_parameters();
    embed();
    for (std::int64_t index = 0; index < spec_.layers; ++index) block(block_name(index));
    // Embedding and final norm together move what an encoder's embedding with its norm does.
    norm("transformer.ln_f", 4, 4);
    head();
    return finish();
  }

 private:
  static std::string block_name(std::int64_t index) { return fmt::format("transformer.h.{}", index); }

  void register_parameters() {
    writer_.parameter("transformer.wte.weight", spec_.vocabulary * spec_.hidden);
    writer_.parameter("transformer.wpe.weight", spec_.positions * spec_.hidden);
    for (std::int64_t index = 0; index < spec_.layers; ++index) register_block(block_name(index));
    writer_.norm_parameters("transformer.ln_f", spec_.hidden);
  }

  void register_block(const std::string& name) {
    writer_.norm_parameters(name + ".ln_1", spec_.hidden);
    writer_.linear_parameters(name + ".attn.c_attn", spec_.hidden, 3 * spec_.hidden);
    writer_.linear_parameters(name + ".attn.c_proj", spec_.hidden, spec_.hidden);
    writer_.norm_parameters(name + ".ln_2", spec_.hidden);
    writer_.linear_parameters(name + ".mlp.c_fc", spec_.hidden, spec_.feed_forward);
    writer_.linear_parameters(name + ".mlp.c_proj", spec_.feed_forward, spec_.hidden);
  }

  // Forward: two look-ups, sum, dropout. The tied token embedding is ready only when this is done.
  void embed() {
    const double stream = writer_.stream();
    Layer& layer = writer_.layer("transformer.wte", Traffic{"embedding", 4 * stream, 4 * stream, 4, 5},
                                 {"transformer.wte.weight", "transformer.wpe.weight"});
    layer.saved_bytes = stream + 2 * token_id_bytes * writer_.tokens();  // dropout mask, indices
    layer.split = Split::vocabulary;
  }

  void block(const std::string& name) {
    const double tokens = writer_.tokens();
    writer_.begin_block(name);
    norm(name + ".ln_1", 4, 7.25);
    writer_.linear(name + ".attn.c_attn", tokens, spec_.hidden, 3 * spec_.hidden, Split::outputs);
    writer_.split_heads(name + ".attn.split");
    writer_.eager_attention(name + ".attn", true);
    writer_.merge_heads(name + ".attn.merge");
    writer_.linear(name + ".attn.c_proj", tokens, spec_.hidden, spec_.hidden, Split::inputs);
    dropout_and_add(name + ".attn.add");
    norm(name + ".ln_2", 4, 7.25);
    writer_.linear(name + ".mlp.c_fc", tokens, spec_.hidden, spec_.feed_forward, Split::outputs);
    writer_.bias_gelu(name + ".mlp.gelu", tokens, spec_.feed_forward);
    writer_.linear(name + ".mlp.c_proj", tokens, spec_.feed_forward, spec_.hidden, Split::inputs);
    dropout_and_add(name + ".mlp.add");
    writer_.end_eager_block(spec_, true);
  }

  // Keeps its input; the statistics, 8 B a row, are left out as is usual.
  void norm(const std::string& name, double forward, double backward) {
    const double stream = writer_.stream();
    const Traffic traffic{"layer norm", forward * stream, backward * stream, 1, 2};
    writer_.layer_with_own_parameters(name, traffic).saved_elements = stream;
  }

  void dropout_and_add(const std::string& name) {
    const double stream = writer_.stream();
    writer_.layer(name, Traffic{"dropout, add", 5.25 * stream, 5.25 * stream, 2, 2}).saved_bytes = stream;
  }

  void head() {
    const Linear head{writer_.tokens(), spec_.hidden, spec_.vocabulary};
    Layer& logits = writer_.layer("lm_head", head);
    logits.saved_elements = writer_.stream();
    logits.split = Split::vocabulary;
    writer_.vocabulary_loss("loss", writer_.tokens());
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.tied_head = true;
    model.input_bytes = token_id_bytes * writer_.tokens();
    model.output_elements = writer_.tokens() * static_cast<double>(spec_.vocabulary);
    // 13 a block; both models, both embeddings, dropout, the list, the final norm, the head.
    model.modules = 13 * spec_.layers + 8;
    return writer_.finish();
  }

  const Gpt2Spec& spec_;
  TransformerWriter writer_;
};

}  // namespace

Model build_gpt2(const Gpt2Spec& spec) { return Gpt2(spec).build(); }

}  // namespace paceline
