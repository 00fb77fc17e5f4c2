// No constant of a framework's mixtures of experts is ignored: changing any of them changes a part of some
// layer, or what the host does.
#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "sim/cost/transformer/expert_host.h"
#include "sim/cost/transformer/expert_layer.h"
#include "sim/cost/transformer/latent_attention.h"
#include "sim/strategy/expert_rules.h"
#include "tests/sim/cost/transformer/expert_setting.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using Json = nlohmann::json;
using test::ExpertCase;
using test::ExpertSetting;

Json changed(const Json& value) {
  constexpr double factor = 0.75;
  if (value.is_number()) return value.get<double>() * factor;
  const std::string text = value.get<std::string>();
  std::size_t digits = 0;
  const double number = std::stod(text, &digits);
  return std::to_string(number * factor) + text.substr(digits);
}

bool is_quantity(const Json& value) {
  return value.is_number() ||
         (value.is_string() &&
          std::isdigit(static_cast<unsigned char>(value.get<std::string>().front())) != 0);
}

// Each dispatcher and graph scope, one by one and grouped, with 8-bit products, overlapped, with biased
// experts, with latent attention, on Arm, with fixed capacity.
std::vector<ExpertCase> cases() {
  std::vector<ExpertCase> list;
  for (const Dispatcher dispatcher : {Dispatcher::all_to_all, Dispatcher::deep_ep, Dispatcher::hybrid_ep}) {
    ExpertCase what = test::eight_ranks();
    what.parallel.dispatcher = dispatcher;
    what.parallel.graph_scope = dispatcher == Dispatcher::deep_ep ? GraphScope::attention : GraphScope::none;
    what.parallel.fp8 = Fp8Recipe::tensor;
    what.parallel.expert_overlap = dispatcher == Dispatcher::hybrid_ep;
    what.parallel.grouped_experts = dispatcher == Dispatcher::all_to_all;
    list.push_back(what);
  }
  ExpertCase biased = list[1], latent = list[1];
  biased.model = "gpt-oss-120b";
  biased.parallel.token_drop = true;
  latent.model = "deepseek-v3";
  latent.cluster = "gb200-nvl72";
  for (const ExpertCase& what : {biased, latent}) list.push_back(what);
  return list;
}

void add(std::vector<double>& figures, const Pass& pass) {
  for (const PassStep& step : pass.steps) {
    if (const auto* kernel = std::get_if<Kernel>(&step)) figures.push_back(kernel->time.value());
    if (const auto* exchange = std::get_if<Exchange>(&step))
      figures.insert(figures.end(), {exchange->cover.blocking, exchange->cover.slowdown});
  }
}

std::vector<double> figures_of(const ExpertRules& rules) {
  std::vector<double> figures;
  for (const ExpertCase& what : cases()) {
    ExpertSetting setting(what);
    setting.rules.experts = rules;
    const Block& block = setting.block();
    LayerPart part = expert_part(setting.context(), block);
    if (block.attention.front().key_value_rank > 0)
      part.append(latent_attention_part(setting.context(), block.hidden, block.attention.front()));
    add(figures, part.forward);
    add(figures, part.backward);
    const ExpertHost host = expert_host(setting.context(), block);
    for (const Seconds time : {host.forward, host.backward, host.synchronisation})
      figures.push_back(time.value());
  }
  return figures;
}

ExpertRules rules_of(const Json& rules) {
  return read_expert_rules(JsonValue::parse_text(rules.dump(), "rules"));
}

TEST(ExpertConstants, Count) {
  const Json file = Json::parse(read_file(test::data_folder() + "/frameworks/megatron-core.json"));
  const Json rules = file["transformer"]["experts"];
  const std::vector<double> before = figures_of(rules_of(rules));
  const Json flat = rules.flatten();
  for (const auto& item : flat.items()) {
    // The rates of attention carry it, for latent and other attention alike.
    if (!is_quantity(item.value()) || item.key() == "/attention_8_bit") continue;
    Json other = rules;
    other[Json::json_pointer(item.key())] = changed(item.value());
    EXPECT_NE(figures_of(rules_of(other)), before) << item.key();
  }
}

}  // namespace
}  // namespace paceline
