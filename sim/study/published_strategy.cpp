#include "sim/study/published_strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/study/published_fields.h"

namespace paceline {
namespace {

// What a reader of the publication cannot know and its scripts decide.
struct ScriptDefaults {
  bool channels_last = false;
  bool ngc =
      false;  // NVIDIA's results of MLPerf come from its containers, which the framework's name leaves out
};
ScriptDefaults script_defaults(const JsonValue& row, const std::string& family) {
  JsonObject object = row.object();
  const auto source = object.optional("source");
  if (!source || !source->is_object()) return {};
  JsonObject fields = source->object();
  // NVIDIA's convolutional examples run mixed precision in NHWC; others that build on them may not.
  const std::string what = text_of(fields, "what");
  return {family == "cnn" && what.starts_with("NVIDIA DeepLearningExamples"),
          what.starts_with("MLPerf Training")};
}

std::optional<Precision> precision_of(const std::string& words) {
  static const std::map<std::string, Precision> known{
      {"fp32", Precision::fp32},       {"tf32", Precision::tf32},      {"fp16-mixed", Precision::fp16},
      {"bf16-mixed", Precision::bf16}, {"torch-amp", Precision::fp16}, {"apex-o1", Precision::fp16}};
  const auto found = known.find(words);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

std::optional<Optimizer> optimizer_of(const std::string& words, const std::string& family) {
  static const std::map<std::string, Optimizer> known{
      {"sgd", Optimizer::sgd},   {"sgd-momentum", Optimizer::momentum},
      {"adam", Optimizer::adam}, {"adamw", Optimizer::adam},
      {"lamb", Optimizer::lamb}, {"lamb->adam", Optimizer::adam},
      {"lars", Optimizer::lars}, {"rmsprop", Optimizer::rmsprop}};
  if (words.empty()) return family == "cnn" ? Optimizer::momentum : Optimizer::adam;
  const auto found = known.find(words);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

std::optional<StrategyKind> kind_of(const std::string& words) {
  if (words == "none") return StrategyKind::single;
  if (words == "dp") return StrategyKind::data_parallel;
  if (words == "ddp") return StrategyKind::distributed_data_parallel;
  if (words == "horovod") return StrategyKind::horovod;
  if (words == "mirrored" || words == "replicated" || words == "replicated-nccl")
    return StrategyKind::mirrored;
  if (words == "parameter_server-cpu") return StrategyKind::parameter_server;
  return std::nullopt;
}

// Rows of TensorFlow say beside their framework whether its compiler was on.
bool is_compiled(const JsonValue& row) {
  JsonObject object = row.object();
  const auto flags = object.optional("flags");
  if (!flags) return false;
  for (const JsonValue& flag : flags->array())
    for (const char* words : {"with xla", "withxla", "xla"})
      if (flag.string() == words) return true;
  return false;
}

// What is to be added to the framework's name to find its rules.
std::string variant_of(const JsonValue& row, const std::string& family) {
  if (script_defaults(row, family).ngc) return " (NGC)";
  return is_compiled(row) ? " with xla" : "";
}

// What publications call "ddp" is the framework's own all-reduce where it has no DistributedDataParallel.
StrategyKind kind_in(const Framework& framework, StrategyKind kind) {
  const auto& known = framework.strategies;
  const bool has_ddp = known.empty() || std::find(known.begin(), known.end(), "ddp") != known.end();
  const bool own = kind == StrategyKind::distributed_data_parallel && !has_ddp && framework.mirrored;
  return own ? StrategyKind::mirrored : kind;
}

// The reason why the split of the work cannot be asked for, or nothing.
std::string unsupported_split(JsonObject& strategy) {
  for (const char* degree : {"tp", "pp", "ep", "cp", "sp_degree"}) {
    const auto value = number_of(strategy, degree);
    if (value && *value > 1) return fmt::format("{} = {:g} is not modelled", degree, *value);
  }
  const auto zero = number_of(strategy, "zero");
  if (zero && *zero > 0) return fmt::format("ZeRO stage {:g} is not modelled", *zero);
  const std::string recompute = text_of(strategy, "recompute");
  if (!recompute.empty() && recompute != "none") return "activation recomputation is not modelled";
  return "";
}

}  // namespace

std::string fill_published_strategy(const Catalog& catalog, const JsonValue& row, const std::string& family,
                                    Scenario& scenario) {
  JsonObject fields = row.object();
  JsonObject strategy = fields.required("strategy").object();
  if (std::string reason = unsupported_split(strategy); !reason.empty()) return reason;
  const std::string kind = text_of(strategy, "dp_kind");
  const auto known = kind_of(kind);
  if (!known) return fmt::format("data parallelism \"{}\" is not modelled", kind);
  const std::string framework = text_of(strategy, "framework");
  const Framework* rules = catalog.frameworks.published(framework + variant_of(row, family), family);
  if (!rules) rules = catalog.frameworks.published(framework, family);
  if (!rules) return fmt::format("framework \"{}\" is not in the catalog", framework);
  const auto precision = precision_of(text_of(strategy, "precision"));
  if (!precision) return fmt::format("precision \"{}\" is not modelled", text_of(strategy, "precision"));
  const auto optimizer = optimizer_of(text_of(strategy, "optimizer"), family);
  if (!optimizer) return fmt::format("optimizer \"{}\" is not modelled", text_of(strategy, "optimizer"));
  const auto batch = number_of(strategy, "micro_batch");
  if (!batch || *batch < 1 || *batch != static_cast<double>(static_cast<int>(*batch)))
    return "the batch of a device is not stated as a whole number";
  if (is_mixed(*precision) && script_defaults(row, family).channels_last)
    scenario.strategy.channels_last = true;
  scenario.strategy.kind = kind_in(*rules, *known);
  scenario.strategy.framework = rules->name;
  scenario.strategy.optimizer = *optimizer;
  scenario.precision = *precision;
  scenario.batch_per_device = static_cast<int>(*batch);
  scenario.strategy.accumulation = static_cast<int>(number_of(strategy, "accum").value_or(1));
  if (const auto bucket = number_of(strategy, "bucket_mb")) scenario.strategy.bucket_cap = mebibytes(*bucket);
  const std::string layout = text_of(strategy, "layout");
  if (layout == "nhwc" || layout == "NHWC") scenario.strategy.channels_last = true;
  return "";
}

}  // namespace paceline
