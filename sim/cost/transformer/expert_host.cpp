#include "sim/cost/transformer/expert_host.h"

#include <utility>

#include "sim/cost/transformer/token_dispatch.h"

namespace paceline {
namespace {

GraphScope graph_scope(const LayerContext& context) {
  return context.parallel.graph_scope.value_or(context.rules.experts.graph_scope);
}

// Share of the launches that graphs leave.
struct Left {
  double attention = 1, router = 1;
};
Left left_by(GraphScope scope, const ExpertRules& rules) {
  switch (scope) {
    case GraphScope::none:
      return {};
    case GraphScope::router:
      return {1, rules.graph_router};
    case GraphScope::attention:
      return {rules.graph_attention, rules.graph_router};
    case GraphScope::full:
      break;
  }
  return {0, 0};
}

}  // namespace

ExpertHost expert_host(const LayerContext& context, const Block& block) {
  const GraphScope scope = graph_scope(context);
  if (scope == GraphScope::full) return {};
  const ExpertRules& rules = context.rules.experts;
  const Left left = left_by(scope, rules);
  const double launches = grouped_experts(context) ? 1 : expert_load(context, *block.experts).rank_experts;
  const auto host = [&](double attention, double router, double expert) {
    return rules.host_attention * (left.attention * attention) + rules.host_router * (left.router * router) +
           rules.host_expert * (launches * expert);
  };
  const bool drops = context.parallel.token_drop || rules.drops_tokens;
  double factor = context.arm_host ? rules.arm_host : 1;
  if (context.parallel.expert_overlap.value_or(false)) factor *= rules.overlap;
  ExpertHost result;
  result.synchronisation = drops ? Seconds(0) : rules.synchronisation * factor;
  if (drops) factor *= rules.token_drop;
  result.forward = host(rules.host_attention_factor.forward, rules.host_router_factor.forward,
                        rules.host_expert_factor.forward) *
                   factor;
  result.backward = host(rules.host_attention_factor.backward, rules.host_router_factor.backward,
                         rules.host_expert_factor.backward) *
                    factor;
  return result;
}

void add_expert_host(LayerPart& layer, const LayerContext& context, const Block& block) {
  const ExpertHost host = expert_host(context, block);
  layer.forward.host += host.forward + host.synchronisation;
  layer.backward.host += host.backward;
  if (!(host.synchronisation > Seconds(0))) return;
  Kernel wait;
  wait.name = "counts to the host";
  wait.time = host.synchronisation;
  layer.forward.add(std::move(wait));
}

}  // namespace paceline
