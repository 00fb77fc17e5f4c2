#include "sim/study/published_words.h"

#include <map>

namespace paceline {
namespace {

template <class Value>
std::optional<Value> found_in(const std::map<std::string, Value>& known, const std::string& words) {
  const auto found = known.find(words);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

}  // namespace

// Publications that give two 8-bit runs of a configuration ("fp8-alt") differ in how often the scale of a
// tensor is found. "fp16 or bf16": the traffic and the rate are the same.
std::optional<NumberWords> numbers_of(const std::string& words) {
  static const std::map<std::string, NumberWords> known{
      {"fp32", {Precision::fp32, Fp8Recipe::none}},
      {"tf32", {Precision::tf32, Fp8Recipe::none}},
      {"fp16", {Precision::fp16, Fp8Recipe::none}},
      {"fp16-mixed", {Precision::fp16, Fp8Recipe::none}},
      {"torch-amp", {Precision::fp16, Fp8Recipe::none}},
      {"apex-o1", {Precision::fp16, Fp8Recipe::none}},
      {"bf16", {Precision::bf16, Fp8Recipe::none}},
      {"bf16-mixed", {Precision::bf16, Fp8Recipe::none}},
      {"fp16 or bf16", {Precision::bf16, Fp8Recipe::none}},
      {"fp8", {Precision::bf16, Fp8Recipe::tensor}},
      {"fp8-alt", {Precision::bf16, Fp8Recipe::tensor}},
      {"fp8-tensorwise", {Precision::bf16, Fp8Recipe::tensor}},
      {"fp8-rowwise", {Precision::bf16, Fp8Recipe::row}},
      {"mxfp8", {Precision::bf16, Fp8Recipe::block}}};
  return found_in(known, words);
}

// Muon moves about what Adam does; its products of a step's few seconds are not counted.
std::optional<Optimizer> optimizer_of(const std::string& words, const std::string& family) {
  static const std::map<std::string, Optimizer> known{
      {"sgd", Optimizer::sgd},   {"sgd-momentum", Optimizer::momentum},
      {"adam", Optimizer::adam}, {"adamw", Optimizer::adam},
      {"muon", Optimizer::adam}, {"adam, fp32 master", Optimizer::adam},
      {"lamb", Optimizer::lamb}, {"lamb->adam", Optimizer::adam},
      {"lars", Optimizer::lars}, {"rmsprop", Optimizer::rmsprop}};
  if (words.empty()) return family == "cnn" ? Optimizer::momentum : Optimizer::adam;
  return found_in(known, words);
}

// "none" without a second replica, however the model is split, is what DDP is on one data rank.
std::optional<StrategyKind> kind_of(const std::string& words, int zero) {
  static const std::map<std::string, StrategyKind> known{
      {"none", StrategyKind::single},
      {"dp", StrategyKind::data_parallel},
      {"ddp", StrategyKind::distributed_data_parallel},
      {"ddp+dist-opt", StrategyKind::zero},
      {"zero", StrategyKind::zero},
      {"fsdp", StrategyKind::fully_sharded},
      {"fsdp2", StrategyKind::fully_sharded},
      {"hsdp", StrategyKind::fully_sharded},
      {"horovod", StrategyKind::horovod},
      {"mirrored", StrategyKind::mirrored},
      {"replicated", StrategyKind::mirrored},
      {"replicated-nccl", StrategyKind::mirrored},
      {"parameter_server-cpu", StrategyKind::parameter_server}};
  auto kind = found_in(known, words);
  if (kind == StrategyKind::distributed_data_parallel && zero > 0) kind = StrategyKind::zero;
  if (kind == StrategyKind::zero && zero == 0) kind = StrategyKind::distributed_data_parallel;
  return kind;
}

// Recomputation that is not stated was none. fms-fsdp calls "selective" what recomputes some blocks whole.
std::optional<RecomputeWords> recompute_of(const std::string& words, const std::string& framework) {
  static const std::map<std::string, RecomputeWords> known{
      {"", {Recompute::none, {}}},
      {"none", {Recompute::none, {}}},
      {"none or selective (not stated)", {Recompute::none, {}}},
      {"selective", {Recompute::selective, {}}},
      {"selective-op", {Recompute::operators, {}}},
      {"norm+act", {Recompute::none, {"layernorm", "moe_act"}}},
      {"full", {Recompute::full, {}}}};
  if (words == "selective" && framework.starts_with("fms-fsdp")) return RecomputeWords{Recompute::half, {}};
  return found_in(known, words);
}

std::optional<PipelineSchedule> schedule_of(const std::string& words) {
  static const std::map<std::string, PipelineSchedule> known{
      {"gpipe", PipelineSchedule::gpipe},
      {"1f1b", PipelineSchedule::one_forward_one_backward},
      {"interleaved", PipelineSchedule::interleaved},
      {"interleaved-1f1b", PipelineSchedule::interleaved},
      {"zb-h1", PipelineSchedule::zero_bubble_h1},
      {"zb-v", PipelineSchedule::zero_bubble_v},
      {"zbv", PipelineSchedule::zero_bubble_v},
      {"dualpipe", PipelineSchedule::dual_pipe}};
  return found_in(known, words);
}

std::optional<Dispatcher> dispatcher_of(const std::string& words) {
  static const std::map<std::string, Dispatcher> known{{"alltoall", Dispatcher::all_to_all},
                                                       {"deepep", Dispatcher::deep_ep},
                                                       {"hybridep", Dispatcher::hybrid_ep}};
  return found_in(known, words);
}

std::optional<ContextExchange> context_exchange_of(const std::string& words) {
  static const std::map<std::string, ContextExchange> known{{"ring", ContextExchange::ring},
                                                            {"p2p", ContextExchange::ring},
                                                            {"all-gather", ContextExchange::all_gather},
                                                            {"all-to-all", ContextExchange::all_to_all}};
  return found_in(known, words);
}

}  // namespace paceline
