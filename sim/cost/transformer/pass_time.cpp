#include "sim/cost/transformer/pass_time.h"

#include <algorithm>

#include "sim/collective/terms.h"

namespace paceline {
namespace {

// The next `count` kernels after a step.
Seconds kernels_after(const Pass& pass, std::size_t step, int count) {
  if (count == whole_pass) return kernel_time(pass);
  Seconds sum;
  for (std::size_t next = step + 1; next < pass.steps.size() && count > 0; ++next) {
    const auto* kernel = std::get_if<Kernel>(&pass.steps[next]);
    if (!kernel) continue;
    sum += kernel->time;
    --count;
  }
  return sum;
}

}  // namespace

CoveredExchange cover_of(const Pass& pass, std::size_t step, const GroupTimes& groups) {
  const auto& exchange = std::get<Exchange>(pass.steps[step]);
  const Cover& cover = exchange.cover;
  CoveredExchange result;
  result.time = groups.of(exchange);
  const Seconds all = result.time.total();
  result.blocking = all * cover.blocking;
  result.beside = all - result.blocking;
  result.kernels = kernels_after(pass, step, cover.beside);
  result.window = result.kernels * cover.covered;
  result.overlap = std::min(result.beside, result.window);
  result.longer = result.overlap * cover.slowdown;
  result.sticking_out = result.beside - result.overlap;
  return result;
}

PassTime pass_time(const Pass& pass, const GroupTimes& groups) {
  PassTime sum;
  sum.host = pass.host;
  for (std::size_t step = 0; step < pass.steps.size(); ++step) {
    if (const auto* kernel = std::get_if<Kernel>(&pass.steps[step])) {
      sum.kernels += kernel->time;
      sum.work += kernel->work;
      sum.provenance[static_cast<std::size_t>(kernel->provenance)] += kernel->time.value();
      continue;
    }
    const auto group = static_cast<std::size_t>(std::get<Exchange>(pass.steps[step]).group);
    const CoveredExchange covered = cover_of(pass, step, groups);
    sum.exposed += covered.exposed();
    sum.exposed_by_group[group] += covered.exposed();
    sum.communication_by_group[group] += covered.time.total();
  }
  return sum;
}

Bytes bytes_sent(const Exchange& exchange, int ranks) {
  return ranks < 2 ? Bytes(0) : Bytes(ring_volume(exchange.kind, ranks, exchange.message.value()));
}

}  // namespace paceline
