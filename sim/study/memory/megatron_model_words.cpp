#include <regex>

#include "sim/study/memory/megatron_reader.h"

namespace paceline {
namespace {

class ModelReader : public MegatronReader {
 public:
  using MegatronReader::MegatronReader;

  void read() {
    read_shapes();
    read_attention();
    read_experts();
  }

 private:
  void read_shapes() {
    const std::string family = model_.text("family");
    if (!family.empty() && family != "gpt" && family != "llama" && family != "moe" && family != "bert")
      unknown("the family", family);
    if (option("mtp-num-layers").value_or(0) > 0) unknown("the option", "mtp-num-layers");
    DecoderSpec& model = words_.run.model;
    BlockSpec& block = model.block;
    model.layers = stated(model_, {"layers"}, "the number of layers");
    block.hidden = stated(model_, {"hidden"}, "the hidden size");
    model.vocabulary = stated(model_, {"vocab"}, "the vocabulary");
    const auto sequence = strategy_.count({"seq"});
    model.sequence = model.positions = sequence ? *sequence : stated(model_, {"seq"}, "the sequence length");
    model.tied = model_.flag("tied_embeddings").value_or(!model_.flag("untied_embeddings").value_or(true));
    const bool gated = model_.flag("gated_ffn").value_or(model_.text("mlp") == "swiglu");
    const bool rms = model_.text("norm") == "rmsnorm";
    // RMS norm and SwiGLU named together are the recipes of the Llama family: no biases, no dropout, rotary.
    plain_ = !(rms && gated);
    block.norm = rms ? NormKind::rms : NormKind::layer;
    block.norm_bias = !rms;
    block.dropout = model_.flag("dropout").value_or(plain_);
    if (extra_ && extra_->number({"hidden-dropout"}).value_or(0.1) == 0) block.dropout = false;
    const bool bias = model_.flag("bias").value_or(plain_ && !has("disable-bias-linear"));
    block.feed_forward = {model_.count({"ffn", "ffn_dense"}).value_or(4 * block.hidden), gated, bias};
    words_.run.masked_language_heads = family == "bert";
  }

  void read_attention() {
    DecoderSpec& model = words_.run.model;
    AttentionSpec& attention = model.block.attention;
    attention.heads = stated(model_, {"heads"}, "the number of heads");
    attention.key_value_heads = model_.count({"kv_heads"}).value_or(attention.heads);
    attention.head_size = model_.count({"head_dim"})
                              .value_or(option("kv-channels").value_or(model.block.hidden / attention.heads));
    attention.bias = attention.output_bias = model.block.feed_forward.bias;
    attention.dropout = model.block.dropout;
    if (extra_ && extra_->number({"attention-dropout"}).value_or(0.1) == 0) attention.dropout = false;
    attention.head_norm = has("qk-layernorm");
    const std::string positions = extra_ ? extra_->text("position-embedding-type") : "";
    read_latent(attention);
    if (!plain_ && attention.latent) attention.head_norm = true;
    attention.rotary = !plain_ || positions == "rope" || attention.latent;
    if (!attention.rotary) model.learned_positions = model.sequence;
  }

  void read_latent(AttentionSpec& attention) {
    if (has("multi-latent-attention"))
      attention.latent =
          LatentSpec{option("q-lora-rank").value_or(0), option("kv-lora-rank").value_or(512),
                     option("qk-head-dim").value_or(128), option("qk-pos-emb-head-dim").value_or(64),
                     option("v-head-dim").value_or(128)};
    if (model_.text("attention") == "mla")
      attention.latent = LatentSpec{stated(model_, {"q_lora_rank"}, "the rank of queries"),
                                    stated(model_, {"kv_lora_rank"}, "the rank of keys and values"),
                                    stated(model_, {"qk_head_dim"}, "the size of a query head"),
                                    stated(model_, {"qk_rope_head_dim"}, "the rotary size of a head"),
                                    stated(model_, {"v_head_dim"}, "the size of a value head")};
  }

  void read_experts() {
    const auto experts = model_.count({"experts"});
    if (!experts || *experts < 2) return;
    DecoderSpec& model = words_.run.model;
    ExpertSpec spec;
    spec.experts = *experts;
    spec.chosen = stated(model_, {"top_k", "topk"}, "the number of chosen experts");
    spec.width = model_.count({"ffn_expert", "moe_ffn"})
                     .value_or(option("moe-ffn-hidden-size").value_or(model.block.feed_forward.width));
    spec.shared_width =
        model_.count({"ffn_shared"}).value_or(option("moe-shared-expert-intermediate-size").value_or(0));
    words_.run.grouped_products = has("moe-grouped-gemm") || defaults_.grouped_products;
    // Grouped products take no biases.
    spec.bias = model.block.feed_forward.bias && !words_.run.grouped_products;
    model.block.experts = spec;
    model.dense_layers = model_.count({"first_dense_layers"}).value_or(first_dense_layers());
    model.dense_width = model.block.feed_forward.width;
    words_.run.capacity_factor = strategy_.number({"capacity_factor"});
    if (!words_.run.capacity_factor) words_.run.capacity_factor = defaults_.capacity_factor;
  }

  // "([0]*3+[1]*11)": three layers without experts, then only layers with them.
  std::int64_t first_dense_layers() {
    const std::string layout = extra_ ? extra_->text("moe-layer-freq") : "";
    if (layout.empty()) return 0;
    const std::regex dense_first(R"(\(?\[0\]\*([0-9]{1,6})\+\[1\]\*([0-9]{1,6})\)?)");
    std::smatch match;
    if (std::regex_match(layout, match, dense_first)) return std::stoll(match[1].str());
    unknown("the layout", layout);
    return 0;
  }

  bool plain_ = true;  // Megatron's defaults, not those of the Llama family
};

}  // namespace

void read_megatron_model(const JsonValue& model, const JsonValue& strategy, const MegatronDefaults& defaults,
                         MegatronWords& words) {
  ModelReader(model, strategy, defaults, words).read();
}

}  // namespace paceline
