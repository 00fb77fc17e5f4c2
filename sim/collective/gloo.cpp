#include "sim/collective/gloo.h"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

// Bytes that a node puts on its NICs, with ranks in the order of the nodes.
double crossing(Algorithm algorithm, const GroupTerms& t) {
  if (t.nodes <= 1) return 0;
  if (algorithm == Algorithm::ring) return t.volume;
  // The first log2 N of the halvings leave the node with half, a quarter, ... of every rank's vector.
  return t.local * t.volume * (t.nodes - 1) / t.nodes * t.n / (t.n - 1);
}

}  // namespace

std::optional<LawTime> host_law(Algorithm algorithm, const GroupTerms& t) {
  const bool halves = t.kind == CollectiveKind::all_reduce || t.kind == CollectiveKind::reduce_scatter ||
                      t.kind == CollectiveKind::all_gather;
  const bool peers = t.kind == CollectiveKind::all_to_all || t.kind == CollectiveKind::send_receive;
  const bool has = peers
                       ? algorithm == Algorithm::point_to_point
                       : algorithm == Algorithm::ring || (algorithm == Algorithm::halving_doubling && halves);
  if (!has) return std::nullopt;
  LawTime time;
  const bool all_reduce = t.kind == CollectiveKind::all_reduce;
  double steps = t.steps, between = t.inter_steps;
  if (algorithm == Algorithm::halving_doubling) {
    const double passes = all_reduce ? 2 : 1;
    steps = passes * std::ceil(std::log2(t.n));
    between = passes * std::ceil(std::log2(t.nodes));
  }
  if (peers) steps = between = t.kind == CollectiveKind::send_receive ? 1 : t.n - 1;
  if (t.nodes <= 1) between = 0;
  time.volume = t.kind == CollectiveKind::all_to_all ? t.size * (t.n - 1) / t.n : t.volume;
  time.network = peers && t.nodes > 1 ? t.size * (t.n - t.local) / t.n * t.local : crossing(algorithm, t);
  time.latency = t.link.base.value() + (steps - between) * t.link.simple_step.value() +
                 between * t.fabric.simple_step.value();
  const double staging = 2 * t.size / t.rate;
  double wire = t.local > 1 ? time.volume / t.rate : 0;
  time.binding = Binding::link;
  const double rate = t.network * (peers ? t.peer_share : t.ring_share);
  if (t.nodes > 1 && time.network / rate > wire) {
    wire = time.network / rate;
    time.binding = Binding::network;
  }
  time.transfer = wire + staging;
  return time;
}

}  // namespace paceline
