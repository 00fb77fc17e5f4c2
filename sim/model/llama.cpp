// Llama (Touvron et al. 2023; Grattafiori et al. 2024), registered as transformers' LlamaForCausalLM: RMS
// norms, rotary positions, grouped-query attention, SwiGLU, no biases, no dropout, a head of its own.
//
// Attention is taken as one fused kernel, as every framework that trains such nets uses: no traffic for the
// scores, and its log-sum-exp is kept instead. The other parts move what eager kernels move. Kept is what
// fused norms and a fused SwiGLU need, the same list for Transformer Engine and Megatron; eager up-casts keep
// more.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

constexpr double statistic_bytes = 4;  // 1/rms and log-sum-exp are fp32 whatever the precision

class Llama {
 public:
  explicit Llama(const LlamaSpec& spec)
      : spec_(spec), writer_(spec), key_value_width_(spec.hidden / spec.heads * spec.key_value_heads) {}

  Model build() {
    register_parameters();
    embed();
    for (std::int64_t index = 0; index < spec_.layers; ++index) {
      attention(layer_name(index));
      feed_forward(layer_name(index));
    }
    norm("model.norm");
    writer_.linear("lm_head", writer_.tokens(), spec_.hidden, spec_.vocabulary);
    writer_.vocabulary_loss("loss", writer_.tokens());
    return finish();
  }

 private:
  static std::string layer_name(std::int64_t index) { return fmt::format("model.layers.{}", index); }
  [[nodiscard]] double key_value_elements() const {
    return writer_.tokens() * static_cast<double>(key_value_width_);
  }

  void register_parameters() {
    writer_.parameter("model.embed_tokens.weight", spec_.vocabulary * spec_.hidden);
    for (std::int64_t index = 0; index < spec_.layers; ++index) register_layer(layer_name(index));
    writer_.norm_parameters("model.norm", spec_.hidden, false);
    writer_.linear_parameters("lm_head", spec_.hidden, spec_.vocabulary, false);
  }

  void register_layer(const std::string& name) {
    const std::string attention = name + ".self_attn";
    writer_.linear_parameters(attention + ".q_proj", spec_.hidden, spec_.hidden, false);
    writer_.linear_parameters(attention + ".k_proj", spec_.hidden, key_value_width_, false);
    writer_.linear_parameters(attention + ".v_proj", spec_.hidden, key_value_width_, false);
    writer_.linear_parameters(attention + ".o_proj", spec_.hidden, spec_.hidden, false);
    writer_.linear_parameters(name + ".mlp.gate_proj", spec_.hidden, spec_.feed_forward, false);
    writer_.linear_parameters(name + ".mlp.up_proj", spec_.hidden, spec_.feed_forward, false);
    writer_.linear_parameters(name + ".mlp.down_proj", spec_.feed_forward, spec_.hidden, false);
    writer_.norm_parameters(name + ".input_layernorm", spec_.hidden, false);
    writer_.norm_parameters(name + ".post_attention_layernorm", spec_.hidden, false);
  }

  void embed() {
    const double moved = 3 * writer_.stream();
    writer_
        .layer("model.embed_tokens", Traffic{"embedding", moved, moved, 1, 2}, {"model.embed_tokens.weight"})
        .saved_bytes = token_id_bytes * writer_.tokens();  // indices
  }

  void attention(const std::string& name) {
    const std::string self = name + ".self_attn";
    const double tokens = writer_.tokens();
    norm(name + ".input_layernorm");
    writer_.linear(self + ".q_proj", tokens, spec_.hidden, spec_.hidden);
    for (const char* part : {".k_proj", ".v_proj"})  // their input is that of q_proj
      writer_.linear(self + part, tokens, spec_.hidden, key_value_width_).saved_elements = 0;
    rotate_and_copy(self);
    fused_attention(self);
    writer_.linear(self + ".o_proj", tokens, spec_.hidden, spec_.hidden);
    residual_add(self + ".add");
  }

  void rotate_and_copy(const std::string& self) {
    // Halves swapped and negated, two products, a sum: 12 passes over queries and keys, backward alike.
    const double rotated = 12 * (writer_.stream() + key_value_elements());
    writer_.layer(self + ".rotary", Traffic{"rotary", rotated, rotated, 10, 10});
    const double copied = 2 * (writer_.stream() + 2 * key_value_elements());
    writer_.layer(self + ".split", Traffic{"head transposes", copied, copied, 3, 3});
  }

  void fused_attention(const std::string& self) {
    const auto heads = static_cast<double>(spec_.heads);
    const std::int64_t head_size = spec_.hidden / spec_.heads;
    BatchedGemm scores{heads, spec_.sequence, spec_.sequence, head_size};
    BatchedGemm context{heads, spec_.sequence, head_size, spec_.sequence};
    scores.causal = context.causal = true;
    scores.fused = context.fused = true;
    writer_.layer(self + ".scores", scores).saved_elements = writer_.stream() + key_value_elements();
    Layer& layer = writer_.layer(self + ".context", context);
    layer.saved_elements = key_value_elements();
    layer.saved_bytes = statistic_bytes * heads * writer_.tokens();
  }

  void feed_forward(const std::string& name) {
    const std::string mlp = name + ".mlp";
    const double tokens = writer_.tokens();
    const double width = tokens * static_cast<double>(spec_.feed_forward);
    norm(name + ".post_attention_layernorm");
    writer_.linear(mlp + ".gate_proj", tokens, spec_.hidden, spec_.feed_forward);
    writer_.linear(mlp + ".up_proj", tokens, spec_.hidden, spec_.feed_forward).saved_elements = 0;
    writer_.layer(mlp + ".swiglu", Traffic{"swiglu", 5 * width, 8 * width, 2, 3}).saved_elements = 2 * width;
    writer_.linear(mlp + ".down_proj", tokens, spec_.feed_forward, spec_.hidden);
    residual_add(mlp + ".add");
  }

  // Up-cast, square, mean, inverse root, product, down-cast, product with the weight: 6 passes, 10 backward.
  void norm(const std::string& name) {
    const double stream = writer_.stream();
    Layer& layer =
        writer_.layer_with_own_parameters(name, Traffic{"rms norm", 6 * stream, 10 * stream, 8, 12});
    layer.saved_elements = stream;
    layer.saved_bytes = statistic_bytes * writer_.tokens();
  }

  void residual_add(const std::string& name) {
    const double moved = 3 * writer_.stream();
    writer_.layer(name, Traffic{"add", moved, moved});
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.input_bytes = token_id_bytes * writer_.tokens();
    model.output_elements = writer_.tokens() * static_cast<double>(spec_.vocabulary);
    // 13 a layer; both models, embedding, rotary table, the list, the final norm, the head.
    model.modules = 13 * spec_.layers + 7;
    return writer_.finish();
  }

  const LlamaSpec& spec_;
  TransformerWriter writer_;
  std::int64_t key_value_width_;
};

}  // namespace

Model build_llama(const LlamaSpec& spec) { return Llama(spec).build(); }

}  // namespace paceline
