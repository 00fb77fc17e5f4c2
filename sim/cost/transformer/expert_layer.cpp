#include "sim/cost/transformer/expert_layer.h"

#include <utility>

#include "base/error.h"
#include "sim/cost/transformer/expert_products.h"
#include "sim/cost/transformer/token_dispatch.h"

namespace paceline {
namespace {

constexpr double matrices_up = 2;  // gate and up projection in one product

// Scores in the precision of the step, whatever the products of the experts are in.
Kernel router(const LayerContext& context, const Block& block) {
  const ExpertRules::Router& rules = context.rules.experts.router;
  const double tokens = context.rank_tokens(), hidden = static_cast<double>(block.hidden);
  const double experts = static_cast<double>(block.experts->experts);
  Kernel kernel = product(context, "router", {tokens, experts, hidden}, false);
  const double bytes =
      rules.score_bytes * tokens * experts + rules.passes * tokens * hidden * context.element;
  const Kernel around = element_wise(context, "", Bytes(bytes), rules.kernels);
  kernel.time += around.time;
  kernel.traffic += around.traffic;
  return kernel;
}

void add_shared_expert(LayerPart& part, const LayerContext& context, const Block& block) {
  const double width =
      static_cast<double>(block.experts->shared_feed_forward) / context.parallel.degrees.tensor;
  if (width <= 0) return;
  const double hidden = static_cast<double>(block.hidden);
  const Passes& passes = context.rules.element_wise.gated_activation;
  const double bytes = context.tokens * width * context.element;
  LayerPart up, activation, down;
  add_linear(up, context, "shared expert up", {context.tokens, matrices_up * width, hidden});
  activation.forward.add(element_wise(context, "shared expert activation", Bytes(passes.forward * bytes)));
  activation.backward.add(element_wise(context, "shared expert activation", Bytes(passes.backward * bytes)));
  add_linear(down, context, "shared expert down", {context.tokens, hidden, width});
  for (const LayerPart& each : {up, activation, down}) part.append(each);
}

// To the experts and into their order.
LayerPart way_to_experts(const LayerContext& context, const Block& block) {
  LayerPart part;
  part.forward.add(permutation(context, block, "permutation", Direction::forward));
  if (context.experts.size > 1) {
    part.forward.add(token_exchange(context, block, DispatchLeg::dispatch, Direction::forward));
    part.backward.add(token_exchange(context, block, DispatchLeg::dispatch, Direction::backward));
  }
  part.backward.add(permutation(context, block, "permutation gradient", Direction::backward));
  return part;
}

LayerPart way_back(const LayerContext& context, const Block& block) {
  LayerPart part;
  part.backward.add(permutation(context, block, "permutation back gradient", Direction::backward));
  if (context.experts.size > 1) {
    part.forward.add(token_exchange(context, block, DispatchLeg::combine, Direction::forward));
    part.backward.add(token_exchange(context, block, DispatchLeg::combine, Direction::backward));
  }
  part.forward.add(permutation(context, block, "permutation back", Direction::forward));
  return part;
}

LayerPart scores(const LayerContext& context, const Block& block) {
  LayerPart part;
  Kernel kernel = router(context, block);
  part.forward.add(kernel);
  kernel.name = "router gradient";
  kernel.time *= context.rules.experts.router.backward;
  part.backward.add(std::move(kernel));
  return part;
}

// Both norms of the layer.
Kernel recomputed_norms(const LayerContext& context, const Block& block) {
  const double elements = context.rank_tokens() * static_cast<double>(block.hidden);
  const double passes = 2 * context.rules.element_wise.norm.forward;
  return element_wise(context, "norms", Bytes(passes * elements * context.element), 2);
}

}  // namespace

LayerPart expert_part(const LayerContext& context, const Block& block) {
  if (!context.rules.experts.known)
    throw InputError("framework", "a model with experts", "a framework whose mixtures of experts are known",
                     "choose \"megatron-core\" or one of its releases");
  LayerPart part = scores(context, block);
  add_shared_expert(part, context, block);
  part.append(way_to_experts(context, block));
  part.append(expert_products(context, block));
  part.append(way_back(context, block));
  if (recomputes(context, "layernorm")) part.recompute.add(recomputed_norms(context, block));
  return part;
}

}  // namespace paceline
