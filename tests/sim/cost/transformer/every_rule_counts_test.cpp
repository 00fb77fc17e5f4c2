// No constant of a framework's transformer rules that concerns one rank's work is ignored: changing any of
// them changes a pass or the optimizer step of some case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/sim/cost/transformer/layer_cases.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using Json = nlohmann::json;
using test::LayerBench;
using test::LayerCase;

// "10us" times 1.25 is "12.5us".
Json changed(const Json& value) {
  constexpr double factor = 0.75;
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer() && value.get<int>() > 100)  // the multiple of the vocabulary
    return static_cast<std::int64_t>(value.get<double>() * factor);
  if (value.is_number()) return value.get<double>() * factor;
  const std::string text = value.get<std::string>();
  if (std::isdigit(static_cast<unsigned char>(text.front())) == 0) return "";
  std::size_t digits = 0;
  const double number = std::stod(text, &digits);
  return std::to_string(number * factor) + text.substr(digits);
}

void add_pass(std::vector<double>& figures, const Pass& pass) {
  figures.push_back(pass.host.value());
  for (const PassStep& step : pass.steps) {
    if (const auto* kernel = std::get_if<Kernel>(&step)) figures.push_back(kernel->time.value());
    if (const auto* exchange = std::get_if<Exchange>(&step)) {
      const Cover& cover = exchange->cover;
      figures.insert(figures.end(), {cover.blocking, cover.covered, cover.slowdown});
    }
  }
}

// GPT with dropout and unfused attention, Llama over tensor and context ranks, in 8 bit with rows and tensors
// scaled, sharded or not, with a graph, recomputed.
std::vector<LayerBench> benches(const TransformerRules& rules) {
  LayerCase gpt;
  gpt.framework = "megatron-core", gpt.device = "h100-sxm5-80gb";
  gpt.hidden = 1024, gpt.heads = 16, gpt.feed_forward = 4096, gpt.sequence = 2048;
  gpt.vocabulary = 50000;
  LayerCase llama = test::llama_case();
  llama.framework = "megatron-core", llama.tensor = 2, llama.context = 2;
  LayerCase plain = gpt;
  plain.key_heads = 16;
  std::vector<LayerBench> list;
  for (const LayerCase& which : {gpt, llama, plain})
    for (const Fp8Recipe recipe : {Fp8Recipe::none, Fp8Recipe::tensor, Fp8Recipe::row}) {
      list.emplace_back(which);
      list.back().framework.transformer = rules;
      list.back().strategy.parallel.fp8 = recipe;
      list.back().strategy.parallel.recompute = Recompute::full;
    }
  list[1].strategy.parallel.graph_scope = GraphScope::full;
  list[2].strategy.kind = list[4].strategy.kind = StrategyKind::fully_sharded;
  list[3].strategy.parallel.tensor_overlap = true;
  list[4].strategy.parallel.tensor_overlap = false;
  list[5].strategy.kind = StrategyKind::zero;
  LayerBench unfused = list.front();
  unfused.framework.transformer->attention.kernel = "";
  list.push_back(unfused);
  LayerBench dry = list.front();
  dry.model.blocks.front().dropout = false;
  list.push_back(dry);
  return list;
}

std::vector<double> figures_of(const TransformerRules& rules) {
  std::vector<double> figures;
  for (const LayerBench& bench : benches(rules)) {
    for (const Unit& unit : bench.work().units)
      for (const Pass* pass : {&unit.forward, &unit.recompute, &unit.backward}) add_pass(figures, *pass);
    figures.push_back(bench.optimizer(1e9, 2e9).value());
  }
  return figures;
}

class TransformerConstants : public test::TempFolder {};

TEST_F(TransformerConstants, OfLayersAndOptimizerCount) {
  const Json file = Json::parse(read_file(test::data_folder() + "/frameworks/megatron-core.json"));
  const auto rules_of = [&](const Json& rules) {
    return read_transformer_rules(JsonValue::parse_text(rules.dump(), "rules"), nullptr);
  };
  const Json rules = file["transformer"];
  const std::vector<double> before = figures_of(rules_of(rules));
  for (const char* part : {"attention", "element_wise", "host", "tensor", "context", "fp8", "step"}) {
    const Json flat = rules[part].flatten();
    for (const auto& item : flat.items()) {
      if (item.key() == "/jitter") continue;  // of the whole step
      Json other = rules;
      other[part][Json::json_pointer(item.key())] = changed(item.value());
      EXPECT_NE(figures_of(rules_of(other)), before) << part << item.key();
    }
  }
}

}  // namespace
}  // namespace paceline
