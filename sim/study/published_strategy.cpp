#include "sim/study/published_strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/published_fields.h"
#include "sim/study/published_parallel.h"
#include "sim/study/published_words.h"
#include "sim/study/setting.h"

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

// Rows of TensorFlow say beside their framework whether its compiler was on.
bool is_compiled(const JsonValue& row) {
  return has_flag(row, "with xla") || has_flag(row, "withxla") || has_flag(row, "xla");
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

const Framework* framework_of(const Catalog& catalog, const JsonValue& row, const std::string& name,
                              const std::string& family) {
  // "megatron-bridge (NeMo 26.04)": the release where its figures are known, else what all releases share.
  for (const std::string& key : {name + variant_of(row, family), name, name.substr(0, name.find(" (NeMo"))})
    if (const Framework* rules = catalog.frameworks.published(key, family)) return rules;
  return nullptr;
}

std::optional<int> whole(std::optional<double> value) {
  if (!value || *value < 1 || *value > 1 << 20 || *value != std::floor(*value)) return std::nullopt;
  return static_cast<int>(*value);
}

constexpr const char* no_batch = "the batch of a device is not stated as a whole number";

// A step's micro-batches, from the batch of all data ranks where they are not stated.
std::string read_batch(JsonObject& fields, Scenario& scenario) {
  const auto batch = whole(number_of(fields, "micro_batch"));
  if (!batch) return no_batch;
  scenario.batch_per_device = *batch;
  const int ranks = data_ranks(scenario);
  const auto all = number_of(fields, "global_batch");
  const auto stated = number_of(fields, "accum");
  const bool share = all && !stated && splits_transformer(scenario.strategy);
  const auto accumulation = share ? whole(*all / (*batch * ranks)) : whole(stated.value_or(1));
  if (!accumulation) return "the micro-batches of a step are not a whole number";
  scenario.strategy.accumulation = *accumulation;
  return "";
}

// What the kind of strategy asks of the number of devices and of the framework.
std::string check_split(const Framework& framework, Scenario& scenario) {
  Strategy& strategy = scenario.strategy;
  const Degrees& degrees = strategy.parallel.degrees;
  const int model = degrees.model();
  if (scenario.devices % model != 0)
    return fmt::format("{} devices are not a multiple of tp {} pp {} cp {}", scenario.devices, degrees.tensor,
                       degrees.pipeline, degrees.context);
  if (strategy.kind == StrategyKind::single && scenario.devices == model && model > 1)
    strategy.kind = StrategyKind::distributed_data_parallel;
  if (splits_transformer(strategy) && !framework.transformer)
    return fmt::format("how framework \"{}\" splits or shards a model is not known", framework.name);
  return "";
}

}  // namespace

std::string fill_published_strategy(const Catalog& catalog, const JsonValue& row, const std::string& family,
                                    Scenario& scenario) {
  JsonObject object = row.object();
  JsonObject fields = object.required("strategy").object();
  Strategy& strategy = scenario.strategy;
  const std::string kind = text_of(fields, "dp_kind"), name = text_of(fields, "framework");
  const auto zero = static_cast<int>(number_of(fields, "zero").value_or(kind == "ddp+dist-opt" ? 1 : 0));
  const auto known = kind_of(kind, zero);
  if (!known) return fmt::format("data parallelism \"{}\" is not modelled", kind);
  const auto numbers = numbers_of(text_of(fields, "precision"));
  if (!numbers) return fmt::format("precision \"{}\" is not modelled", text_of(fields, "precision"));
  const auto optimizer = optimizer_of(text_of(fields, "optimizer"), family);
  if (!optimizer) return fmt::format("optimizer \"{}\" is not modelled", text_of(fields, "optimizer"));
  if (const auto rank = number_of(fields, "lora_rank"))
    return fmt::format("LoRA (adapters of rank {:g}) is not modelled", *rank);
  if (!whole(number_of(fields, "micro_batch"))) return no_batch;
  const auto extra = fields.optional("extra");
  if (extra && extra->is_object()) {
    JsonObject options = extra->object();
    if (flag_of(options, "deterministic-mode").value_or(false))
      return "deterministic kernels are not modelled";
  }
  const Framework* framework = framework_of(catalog, row, name, family);
  if (!framework) return fmt::format("framework \"{}\" is not in the catalog", name);
  strategy.kind = kind_in(*framework, *known);
  strategy.framework = framework->name;
  strategy.optimizer = *optimizer;
  strategy.parallel.fp8 = numbers->fp8;
  scenario.precision = numbers->precision;
  if (is_mixed(numbers->precision) && script_defaults(row, family).channels_last)
    strategy.channels_last = true;
  JsonObject model = object.required("model").object();
  const auto layers = static_cast<std::int64_t>(number_of(model, "layers").value_or(0));
  for (std::string reason : {fill_published_parallelism(row, *framework, layers, strategy),
                             read_batch(fields, scenario), check_split(*framework, scenario)})
    if (!reason.empty()) return reason;
  if (const auto bucket = number_of(fields, "bucket_mb")) strategy.bucket_cap = mebibytes(*bucket);
  const std::string layout = text_of(fields, "layout");
  if (layout == "nhwc" || layout == "NHWC") strategy.channels_last = true;
  return "";
}

}  // namespace paceline
