#include "sim/cost/transformer/recompute.h"

#include <algorithm>
#include <utility>

namespace paceline {
namespace {

// The casts belong to their products.
bool is_product(const Kernel& kernel) { return kernel.work > Flops(0) || kernel.name.ends_with(" cast"); }

double share_of(Recompute policy, const PassStep& step) {
  const auto* kernel = std::get_if<Kernel>(&step);
  switch (policy) {
    case Recompute::none:
      return 0;
    case Recompute::full:
      return 1;
    case Recompute::half:
      return 0.5;
    case Recompute::selective:
      return kernel && is_core(*kernel) ? 1 : 0;
    case Recompute::operators:
      if (kernel && is_core(*kernel)) return 0;
      return kernel && !is_product(*kernel) ? 1 : 0.5;
  }
  return 0;
}

}  // namespace

Pass recomputed(Recompute policy, const Pass& forward, const TransformerHost& host) {
  Pass pass;
  double most = 0;
  for (const PassStep& step : forward.steps) {
    const double share = share_of(policy, step);
    if (share <= 0) continue;
    most = std::max(most, share);
    PassStep again = step;
    if (auto* kernel = std::get_if<Kernel>(&again)) {
      kernel->name += ", again";
      kernel->time *= share;
      kernel->work *= share;
      kernel->traffic *= share;
    } else {
      std::get<Exchange>(again).factor *= share;
    }
    pass.steps.push_back(std::move(again));
  }
  if (policy == Recompute::full || policy == Recompute::half)
    pass.host = forward.host * (host.recompute * most);
  return pass;
}

}  // namespace paceline
