#include "sim/study/memory/megatron_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/study/memory/row_fields.h"

namespace paceline {
namespace {

using megatron::Loss;
using megatron::Recompute;

class Reader {
 public:
  Reader(const JsonValue& model, const JsonValue& strategy, const MegatronDefaults& defaults)
      : model_(model), strategy_(strategy), extra_(strategy_.child("extra")), defaults_(defaults) {}

  MegatronWords read() {
    read_shapes();
    read_attention();
    read_experts();
    read_mesh();
    read_options();
    read_stages();
    return std::move(words_);
  }

 private:
  void missing(const std::string& what) {
    if (words_.why_not.empty()) words_.why_not = what + " is not stated";
  }
  void unknown(const std::string& what, const std::string& word) {
    if (words_.why_not.empty()) words_.why_not = fmt::format("{} \"{}\" is not modelled", what, word);
  }
  std::int64_t stated(RowFields& fields, std::initializer_list<const char*> names, const char* what) {
    const auto value = fields.count(names);
    if (!value || *value < 1) missing(what);
    return std::max<std::int64_t>(1, value.value_or(1));
  }
  std::optional<std::int64_t> option(const char* name) {
    return extra_ ? extra_->count({name}) : std::nullopt;
  }
  bool has(const char* name) { return extra_ && extra_->flag(name).value_or(false); }

  void read_shapes() {
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
    const bool bias = model_.flag("bias").value_or(plain_);
    block.feed_forward = {model_.count({"ffn", "ffn_dense"}).value_or(4 * block.hidden), gated, bias};
    words_.run.masked_language_heads = model_.text("family") == "bert";
  }

  void read_attention() {
    DecoderSpec& model = words_.run.model;
    AttentionSpec& attention = model.block.attention;
    attention.heads = stated(model_, {"heads"}, "the number of heads");
    attention.key_value_heads = model_.count({"kv_heads"}).value_or(attention.heads);
    attention.head_size = model_.count({"head_dim"}).value_or(model.block.hidden / attention.heads);
    attention.bias = attention.output_bias = model.block.feed_forward.bias;
    attention.dropout = model.block.dropout;
    attention.head_norm = has("qk-layernorm");
    const std::string positions = extra_ ? extra_->text("position-embedding-type") : "";
    read_latent(attention);
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
    spec.width = model_.count({"ffn_expert", "moe_ffn"}).value_or(model.block.feed_forward.width);
    spec.shared_width = model_.count({"ffn_shared"}).value_or(0);
    if (extra_ && !extra_->text("moe-layer-freq").empty())
      unknown("the layout", extra_->text("moe-layer-freq"));
    if (option("mtp-num-layers")) unknown("the option", "mtp-num-layers");
    model.block.experts = spec;
    model.dense_layers = model_.count({"first_dense_layers"}).value_or(0);
    model.dense_width = model.block.feed_forward.width;
    words_.run.capacity_factor = strategy_.number({"capacity_factor"});
    if (!words_.run.capacity_factor) words_.run.capacity_factor = defaults_.capacity_factor;
  }

  void read_mesh() {
    megatron::TrainingRun& run = words_.run;
    run.mesh.data = stated(strategy_, {"dp"}, "the number of devices");
    run.mesh.tensor = stated(strategy_, {"tp"}, "tensor parallelism");
    run.mesh.pipeline = stated(strategy_, {"pp"}, "pipeline parallelism");
    run.mesh.virtual_stages = strategy_.count({"vp"}).value_or(1);
    run.mesh.context = strategy_.count({"cp"}).value_or(1);
    run.mesh.expert = strategy_.count({"ep"}).value_or(1);
    run.mesh.expert_tensor = option("expert-tensor-parallel-size").value_or(run.mesh.tensor);
    run.micro_batch = stated(strategy_, {"micro_batch"}, "the micro-batch");
    run.micro_batches = stated(strategy_, {"accum", "micro_batches"}, "the number of micro-batches");
    run.group = strategy_.count({"micro_batch_group"}).value_or(0);
    run.sequence_parallel =
        strategy_.flag("sp").value_or(strategy_.flag("sequence_parallel").value_or(false));
    run.distributed_optimizer =
        strategy_.flag("distributed_optimizer")
            .value_or(strategy_.text("dp_kind").find("dist-opt") != std::string::npos);
    run.optimizer_instances = option("num-distributed-optimizer-instances").value_or(1);
    const auto zero = strategy_.count({"zero"});
    if (zero && *zero > 1) unknown("ZeRO stage", std::to_string(*zero));
  }

  void read_options() {
    megatron::TrainingRun& run = words_.run;
    const std::string precision = strategy_.text("precision"), loss = strategy_.text("loss");
    if (precision == "fp16")
      run.precision = megatron::Precision::fp16;
    else if (precision != "bf16")
      unknown("precision", precision);
    if (strategy_.flag("fused_cross_entropy").value_or(false) || loss == "fused")
      run.loss = Loss::fused;
    else if (loss == "compiled")
      run.loss = Loss::compiled;
    const std::string optimizer = strategy_.text("optimizer");
    if (!optimizer.starts_with("adam")) unknown("optimizer", optimizer);
    words_.transformer_engine = !(extra_ && extra_->text("transformer-impl") == "local");
    words_.deterministic = has("deterministic-mode");
    run.gradient_accumulation_fusion = words_.transformer_engine && !has("no-gradient-accumulation-fusion");
    run.context_all_to_all = strategy_.text("cp_comm") == "all-to-all";
    read_back_end();
    read_recompute(strategy_.text("recompute"));
  }

  void read_back_end() {
    bool& fused = words_.run.model.block.attention.fused;
    const std::string attention = strategy_.text("attn");
    fused = attention == "flash" || attention == "fused";
    words_.run.batch_first_attention = attention == "flash";
    if (attention == "unfused" || fused) return;
    if (!words_.transformer_engine) return;  // Megatron's own attention is not fused
    fused = defaults_.attention_fused;
    words_.attention_unknown = !defaults_.attention_stated;
  }

  // "none", "selective", "full", "full-uniform-2", "full-block-3".
  void read_recompute(const std::string& word) {
    megatron::TrainingRun& run = words_.run;
    if (word.empty() || word == "none") return;
    if (word == "selective") {
      run.recompute = Recompute::selective;
    } else if (word.starts_with("full-block-") || word.starts_with("full-uniform-")) {
      run.recompute = word.starts_with("full-block-") ? Recompute::full_block : Recompute::full_uniform;
      const char* digits = word.data() + word.rfind('-') + 1;
      std::from_chars(digits, word.data() + word.size(), run.recompute_layers);
    } else {
      words_.why_no_peak = "how \"" + word + "\" recomputation groups layers is not stated";
    }
  }

  void read_stages() {
    megatron::TrainingRun& run = words_.run;
    run.first_stage_layers = option("decoder-first-pipeline-num-layers");
    run.last_stage_layers = option("decoder-last-pipeline-num-layers");
    run.embedding_in_split = has("account-for-embedding-in-pipeline-split");
    run.loss_in_split = has("account-for-loss-in-pipeline-split");
  }

  RowFields model_, strategy_;
  std::optional<RowFields> extra_;
  const MegatronDefaults& defaults_;
  MegatronWords words_;
  bool plain_ = true;
};

}  // namespace

MegatronWords megatron_words(const JsonValue& model, const JsonValue& strategy,
                             const MegatronDefaults& defaults) {
  return Reader(model, strategy, defaults).read();
}

}  // namespace paceline
