// Names and meanings: Megatron-LM d98e8a64, megatron/training/arguments.py and megatron/core/*_config.py.
#include "sim/study/megatron_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/study/parallel_fields.h"

namespace paceline {
namespace {

struct Option {
  std::string name;
  std::string field;  // what stands for it here
  std::function<void(const JsonValue&, Strategy&, const StrategyLookup&)> read;
};

// Same meaning, another name.
Option same(const char* name, const char* field) {
  return {name, field, [field](const JsonValue& value, Strategy& strategy, const StrategyLookup&) {
            read_parallel_field(field, value, strategy.parallel);
          }};
}

template <class Target, class Choice>
Option words(const char* name, const char* field, Target Parallelism::*member,
             std::vector<std::pair<std::string, Choice>> meanings) {
  return {name, field,
          [member, meanings = std::move(meanings)](const JsonValue& value, Strategy& strategy,
                                                   const StrategyLookup&) {
            std::vector<std::string> known;
            for (const auto& [word, meaning] : meanings) known.push_back(word);
            strategy.parallel.*member = meanings[value.choice(known)].second;
          }};
}

// A switch that means one value when it is on, another when it is off.
template <class Target, class Value>
Option flag(const char* name, const char* field, Target Parallelism::*member, Value on, Value off) {
  return {name, field, [=](const JsonValue& value, Strategy& strategy, const StrategyLookup&) {
            strategy.parallel.*member = value.boolean() ? on : off;
          }};
}

// Megatron's shards the states of its optimizer; without it the ranks hold copies.
void read_distributed_optimizer(const JsonValue& value, Strategy& strategy, const StrategyLookup&) {
  strategy.kind = value.boolean() ? StrategyKind::zero : StrategyKind::distributed_data_parallel;
  strategy.parallel.zero_stage = value.boolean() ? 1 : 0;
}

// All layers, one at a time: pieces of several, or some of a stage's layers, cost other bytes.
void read_recompute_method(const JsonValue& value, Strategy&, const StrategyLookup&) {
  if (value.string() != "uniform")
    value.fail("\"uniform\"", "recomputing some of the layers of a stage is not predicted");
}

void read_recompute_layers(const JsonValue& value, Strategy&, const StrategyLookup&) {
  if (value.integer(1) != 1) value.fail("1", "recomputing several layers as one is not predicted");
}

// Layers of a virtual stage -> virtual stages, which needs the layers of the model.
void read_layers_per_virtual_stage(const JsonValue& value, Strategy& strategy, const StrategyLookup& lookup) {
  const char* remedy = "give \"virtual_stages\" instead";
  const std::int64_t each = value.integer(1, 1 << 16), layers = lookup.layers ? lookup.layers() : 0;
  if (layers == 0) value.fail("a transformer whose number of layers is known here", remedy);
  const int stages = strategy.parallel.degrees.pipeline;
  if (layers % (each * stages) != 0)
    value.fail(fmt::format("a divisor of {} layers / {} stages", layers, stages), remedy);
  strategy.parallel.degrees.virtual_stages = static_cast<int>(layers / each / stages);
}

std::vector<Option> degree_options() {
  return {
      same("tensor_model_parallel_size", "tensor"),
      same("pipeline_model_parallel_size", "pipeline"),
      same("virtual_pipeline_model_parallel_size", "virtual_stages"),
      same("num_virtual_stages_per_pipeline_rank", "virtual_stages"),
      same("context_parallel_size", "context"),
      same("expert_model_parallel_size", "expert"),
      same("microbatch_group_size_per_virtual_pipeline_stage", "microbatch_group"),
      same("tp_comm_overlap", "tensor_overlap"),
      same("overlap_p2p_communication", "pipeline_overlap"),
      flag("no_overlap_p2p_communication", "pipeline_overlap", &Parallelism::pipeline_overlap, false, true),
      flag("use_tp_pp_dp_mapping", "rank_order", &Parallelism::order, RankOrder::tensor_context_pipeline_data,
           RankOrder::tensor_context_data_pipeline),
      words("cp_comm_type", "context_exchange", &Parallelism::context_exchange,
            std::vector<std::pair<std::string, ContextExchange>>{{"p2p", ContextExchange::ring},
                                                                 {"all_gather", ContextExchange::all_gather},
                                                                 {"a2a", ContextExchange::all_to_all}}),
      // Last: it needs the stages.
      {"num_layers_per_virtual_pipeline_stage", "virtual_stages", read_layers_per_virtual_stage}};
}

std::vector<Option> data_options() {
  using P = Parallelism;
  return {
      {"use_distributed_optimizer", "zero_stage", read_distributed_optimizer},
      same("num_distributed_optimizer_instances", "replicas"),
      same("overlap_grad_reduce", "overlap_gradients"),
      same("overlap_param_gather", "overlap_parameters"),
      flag("accumulate_allreduce_grads_in_fp32", "gradient_bytes", &P::gradient_bytes, 4.0, 2.0),
      flag("grad_reduce_in_fp32", "gradient_bytes", &P::gradient_bytes, 4.0, 2.0),
      flag("optimizer_cpu_offload", "offload_optimizer", &P::offload_optimizer, Offload::cpu, Offload::none),
      words("data_parallel_sharding_strategy", "zero_stage", &P::zero_stage,
            std::vector<std::pair<std::string, int>>{
                {"no_shard", 0}, {"optim", 1}, {"optim_grads", 2}, {"optim_grads_params", 3}})};
}

std::vector<Option> layer_options() {
  using P = Parallelism;
  return {words("recompute_granularity", "recompute", &P::recompute,
                std::vector<std::pair<std::string, Recompute>>{{"full", Recompute::full},
                                                               {"selective", Recompute::selective}}),
          flag("recompute_activations", "recompute", &P::recompute, Recompute::selective, Recompute::none),
          {"recompute_method", "", read_recompute_method},
          {"recompute_num_layers", "", read_recompute_layers},
          words("moe_token_dispatcher_type", "dispatcher", &P::dispatcher,
                std::vector<std::pair<std::string, Dispatcher>>{{"alltoall", Dispatcher::all_to_all},
                                                                {"flex", Dispatcher::deep_ep}}),
          same("moe_grouped_gemm", "grouped_experts"),
          same("overlap_moe_expert_parallel_comm", "expert_overlap"),
          same("moe_expert_capacity_factor", "capacity_factor"),
          same("moe_pad_expert_input_to_capacity", "token_drop"),
          words("fp8_recipe", "fp8", &P::fp8,
                std::vector<std::pair<std::string, Fp8Recipe>>{{"delayed", Fp8Recipe::tensor},
                                                               {"tensorwise", Fp8Recipe::tensor},
                                                               {"mxfp8", Fp8Recipe::block}})};
}

const std::vector<Option>& options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> list = data_options();
    for (auto part : {layer_options(), degree_options()}) list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

// "--tensor-model-parallel-size" as "tensor_model_parallel_size".
std::string plain(std::string name) {
  if (name.starts_with("--")) name.erase(0, 2);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::optional<JsonValue> megatron_option(JsonObject& object, const std::string& option) {
  std::optional<JsonValue> found;
  for (const auto& item : object.value().raw().items()) {
    if (plain(item.key()) != option) continue;
    const auto value = object.optional(item.key());
    if (found && value) value->fail(fmt::format("one \"{}\"", option), "remove one of them");
    if (value) found = value;
  }
  return found;
}

void read_megatron_options(JsonObject& object, Strategy& strategy, const StrategyLookup& lookup) {
  std::map<std::string, std::string> given;  // by field
  for (const Option& option : options()) {
    const auto value = megatron_option(object, option.name);
    if (!value) continue;
    const bool twice = !option.field.empty() && !given.emplace(option.field, option.name).second;
    const bool beside = object.value().raw().contains(option.field);
    if (twice || beside) {
      const std::string other = beside ? option.field : given[option.field];
      value->fail(fmt::format("one of \"{}\" and \"{}\"", other, option.name), "remove one of them");
    }
    option.read(*value, strategy, lookup);
  }
}

}  // namespace paceline
