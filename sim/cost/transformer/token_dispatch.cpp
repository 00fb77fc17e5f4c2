#include "sim/cost/transformer/token_dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace paceline {
namespace {

double hidden(const Block& block) { return static_cast<double>(block.hidden); }
double chosen(const Block& block) { return static_cast<double>(block.experts->chosen); }

Seconds all_to_all_time(const LayerContext& context, Bytes copies) {
  const double ranks = context.experts.size, near = context.experts.per_node;
  const DispatchPath& path = context.dispatch;
  const Seconds links = copies * ((near - 1) / ranks) / (path.raw * path.rates->link_share);
  if (near >= ranks) return links;
  if (!(path.nic > BytesPerSecond(0)))
    throw InputError("cluster", "experts on several nodes", "a network between them",
                     "choose a cluster with a network, or fewer expert ranks");
  return std::max(links, copies * (1 - near / ranks) / (path.nic * path.rates->network_share));
}

// Copies to other ranks, when a token is sent once to each of its places.
Bytes once_each(const LayerContext& context, const Block& block, double places) {
  return Bytes(context.rank_tokens() * expected_ranks(places, chosen(block)) * (places - 1) / places *
               hidden(block) * context.element);
}

Seconds deduplicated_time(const LayerContext& context, const Block& block) {
  const DispatchPath& path = context.dispatch;
  const double ranks = context.experts.size, domains = context.experts.nodes();
  const Seconds near = once_each(context, block, ranks) / path.rates->rate(path.link, path.domain);
  if (domains <= 1) return near;
  return std::max(near, once_each(context, block, domains) / path.rates->network);
}

double permuted_copies(const LayerContext& context, const Block& block, double rank_experts) {
  const double k = chosen(block), once = expected_ranks(context.experts.size, k);
  switch (dispatcher_of(context)) {
    case Dispatcher::deep_ep:
      return context.rules.experts.permutation.deep_ep * (once + k);
    case Dispatcher::hybrid_ep:
      return context.rules.experts.permutation.hybrid_ep * (once + k);
    case Dispatcher::all_to_all:
      break;
  }
  return 2 + 2 * k + (rank_experts > 1 ? 4 * k : 0);
}

}  // namespace

ExpertLoad expert_load(const LayerContext& context, const ExpertShape& shape) {
  const int ranks = context.experts.size;
  if (shape.experts % ranks != 0)
    throw InputError("expert", std::to_string(ranks),
                     fmt::format("a divisor of {} experts ({} / {} leaves {})", shape.experts, shape.experts,
                                 ranks, shape.experts % ranks),
                     "choose another degree");
  ExpertLoad load;
  load.rank_experts = static_cast<double>(shape.experts / ranks);
  const Parallelism& parallel = context.parallel;
  load.load = parallel.capacity_factor.value_or(parallel.expert_imbalance);
  load.copies = context.rank_tokens() * static_cast<double>(shape.chosen) * load.load;
  return load;
}

Dispatcher dispatcher_of(const LayerContext& context) {
  return context.parallel.dispatcher.value_or(context.rules.experts.dispatcher);
}

bool grouped_experts(const LayerContext& context) {
  return context.parallel.grouped_experts.value_or(context.rules.experts.grouped &&
                                                   context.parallel.fp8 == Fp8Recipe::block);
}

double expected_ranks(double ranks, double chosen) { return ranks * (1 - std::pow(1 - 1 / ranks, chosen)); }

Exchange token_exchange(const LayerContext& context, const Block& block, DispatchLeg leg,
                        Direction direction) {
  const ExpertRules& rules = context.rules.experts;
  const ExpertLoad load = expert_load(context, *block.experts);
  const Bytes copies(load.copies * hidden(block) * context.element);
  const bool plain = dispatcher_of(context) == Dispatcher::all_to_all;
  Seconds moving = plain ? all_to_all_time(context, copies) : deduplicated_time(context, block) * load.load;
  const bool out = leg == DispatchLeg::dispatch;
  if (out && direction == Direction::forward && context.parallel.fp8_dispatch)
    moving *= context.dispatch.rates->eight_bit_time;
  Exchange exchange;
  exchange.name = out ? "dispatch" : "combine";
  exchange.kind = CollectiveKind::all_to_all;
  exchange.group = GroupKind::expert;
  exchange.message = copies;
  exchange.time = context.dispatch.rates->start + moving;
  // Dispatch and combine of one micro-batch share the compute of another.
  if (context.parallel.expert_overlap.value_or(false))
    exchange.cover = {1 - rules.hidden, 0.5, rules.slowdown, whole_pass};
  return exchange;
}

Kernel permutation(const LayerContext& context, const Block& block, const std::string& name,
                   Direction direction) {
  const ExpertRules& rules = context.rules.experts;
  const ExpertRules::Permutation& sorting = rules.permutation;
  const ExpertLoad load = expert_load(context, *block.experts);
  const double copies = permuted_copies(context, block, load.rank_experts) * load.load;
  Kernel kernel;
  kernel.name = name;
  kernel.traffic = Bytes(copies * context.rank_tokens() * hidden(block) * context.element) / 2;
  const Seconds moving = kernel.traffic / context.products.memory * rules.element_wise * sorting.factor;
  const Seconds fixed =
      context.rules.element_wise.kernel * sorting.kernels +
      (direction == Direction::forward ? sorting.forward_preparation : sorting.backward_preparation);
  kernel.time =
      (moving + fixed / 2) * (grouped_experts(context) ? rules.permutation_grouped : rules.one_by_one);
  return kernel;
}

}  // namespace paceline
