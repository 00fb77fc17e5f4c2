#include "sim/study/memory/megatron_words.h"

#include <charconv>

#include "sim/study/memory/megatron_reader.h"

namespace paceline {
namespace {

using megatron::Loss;
using megatron::Recompute;

class StrategyReader : public MegatronReader {
 public:
  using MegatronReader::MegatronReader;

  void read() {
    read_mesh();
    read_options();
    read_stages();
  }

 private:
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
    read_optimizer();
    read_back_end();
    read_recompute(strategy_.text("recompute"));
  }

  // Number formats of the optimizer's buffers and what moves them elsewhere.
  void read_optimizer() {
    const auto bytes = [&](const char* name, double usual) {
      const std::string type = extra_ ? extra_->text(name) : "";
      if (type.empty()) return usual;
      if (type == "fp32") return 4.0;
      if (type == "bf16" || type == "fp16") return 2.0;
      if (type == "fp8") return 1.0;
      unknown(name, type);
      return usual;
    };
    megatron::OptimizerBytes& optimizer = words_.run.optimizer;
    optimizer.main_gradient = bytes("main-grads-dtype", has("grad-reduce-in-bf16") ? 2 : 4);
    optimizer.main_weight = bytes("main-params-dtype", 4);
    optimizer.moments = bytes("exp-avg-dtype", 4) + bytes("exp-avg-sq-dtype", 4);
    for (const char* name :
         {"optimizer-cpu-offload", "use-torch-fsdp2", "use-custom-fsdp", "use-megatron-fsdp"})
      if (has(name)) unknown("the option", name);
    for (const char* name : {"defer-embedding-wgrad-compute", "cpu-offloading"})
      if (has(name)) words_.why_no_peak = std::string("what \"") + name + "\" keeps is not modelled";
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
    const std::string modules = extra_ ? extra_->text("recompute-modules") : "";
    if (!modules.empty() && modules != "core_attn") {
      words_.why_no_peak = "recomputation of \"" + modules + "\" is not modelled";
    } else if (word == "selective") {
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
    if (extra_ && !extra_->text("pipeline-model-parallel-layout").empty())
      unknown("the layout", extra_->text("pipeline-model-parallel-layout"));
    run.embedding_in_split = has("account-for-embedding-in-pipeline-split");
    run.loss_in_split = has("account-for-loss-in-pipeline-split");
  }
};

}  // namespace

MegatronWords megatron_words(const JsonValue& model, const JsonValue& strategy,
                             const MegatronDefaults& defaults) {
  MegatronWords words;
  read_megatron_model(model, strategy, defaults, words);
  StrategyReader(model, strategy, defaults, words).read();
  return words;
}

}  // namespace paceline
