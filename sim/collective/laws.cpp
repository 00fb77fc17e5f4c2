#include "sim/collective/laws.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace paceline {
namespace {

bool is_all_reduce(const GroupTerms& t) { return t.kind == CollectiveKind::all_reduce; }

// The larger of two transfer times, and what it stands for.
void bound(LawTime& time, double transfer, Binding binding) {
  if (transfer <= time.transfer) return;
  time.transfer = transfer;
  time.binding = binding;
}

double step_inside(const GroupTerms& t, Protocol protocol) {
  if (protocol == Protocol::simple) return t.link.simple_step.value();
  return protocol == Protocol::ll128 ? t.link.ll128_step->value() : t.link.ll_step.value();
}
double step_between(const GroupTerms& t, Protocol protocol) {
  if (protocol == Protocol::simple) return t.fabric.simple_step.value();
  return protocol == Protocol::ll128 ? t.fabric.ll128_step.value() : t.fabric.ll_step.value();
}
// LL and LL128 between nodes grow slower than the message.
double ramp(const GroupTerms& t, const CollectiveConstants& library) {
  if (t.nodes <= 1) return 0;
  return t.fabric.ramp.value() *
         std::sqrt(std::min(t.size, library.ramp_limit.value()) / library.ramp_unit.value());
}
double start(const GroupTerms& t, const CollectiveConstants& library, Protocol protocol) {
  double value = t.link.base.value();
  if (protocol == Protocol::simple) value += t.link.simple_base.value();
  if (protocol == Protocol::ll128) value += t.link.ll128_base->value();
  return value + (protocol == Protocol::simple ? 0 : ramp(t, library));
}
// Of the wire that the protocol leaves for data between nodes.
double network_share(const CollectiveConstants& library, Protocol protocol) {
  if (protocol == Protocol::simple) return 1;
  return protocol == Protocol::ll128 ? library.ll128_network_share : library.ll_network_share;
}
double ll128_rate(const GroupTerms& t) { return std::min(t.link.ll128_efficiency * t.raw, t.rate); }

// Filling the pipeline takes time in proportion to the message, up to a size.
double fill(const GroupTerms& t, const CollectiveConstants& library, double bytes) {
  const bool nodes = t.nodes > 1;
  const double rate = nodes ? (t.local > 1 ? std::min(t.rate, t.network) : t.network) : t.rate;
  return (nodes ? t.fabric.fill : t.link.fill) * std::min(bytes, library.fill_limit.value()) / rate;
}

// Bytes of a node that a ring puts on its NICs: what a rank puts on its link.
double crossing(const GroupTerms& t) { return t.nodes > 1 ? t.volume : 0; }

LawTime ring(Protocol protocol, const GroupTerms& t, const CollectiveConstants& library) {
  LawTime time;
  time.volume = t.volume;
  time.network = crossing(t);
  time.latency = start(t, library, protocol) + (t.steps - t.inter_steps) * step_inside(t, protocol) +
                 t.inter_steps * step_between(t, protocol);
  const bool inside = t.local > 1;
  switch (protocol) {
    case Protocol::simple:
      // Every loop ends with a copy out of the buffer that moves nothing on the link.
      if (inside) bound(time, t.work * t.volume / t.rate * (1 + t.link.ring_copy / t.steps), Binding::link);
      break;
    case Protocol::ll128:
      if (inside) bound(time, t.volume / ll128_rate(t), Binding::link);
      break;
    case Protocol::ll: {
      const double piece = t.volume / t.steps;
      const double in_channel = std::max(std::min(piece, library.ll_first_piece.value()), piece / t.channels);
      bound(time, t.steps * in_channel / t.link.ll_channel_rate.value(), Binding::channels);
      if (inside) bound(time, t.volume / (library.ll_link_share * t.rate), Binding::link);
      break;
    }
  }
  if (t.nodes > 1)
    bound(time, t.volume / (network_share(library, protocol) * t.ring_share * t.network), Binding::network);
  if (protocol == Protocol::simple) time.transfer += fill(t, library, t.volume);
  return time;
}

// Double binary tree over nodes, chains inside. With two nodes each half of the data crosses once each way,
// so a node sends S; from three nodes on an inner node of the tree sends 2 S.
LawTime tree(Protocol protocol, const GroupTerms& t, const CollectiveConstants& library) {
  LawTime time;
  time.volume = t.size;
  time.latency = start(t, library, protocol) +
                 2 * ((t.local - 1) * step_inside(t, protocol) + t.depth * step_between(t, protocol));
  double rate = t.rate;
  Binding inside = Binding::link;
  if (protocol == Protocol::ll128) rate = ll128_rate(t);
  if (protocol == Protocol::ll) {
    rate = library.ll_link_share * t.rate;
    const double by_channels = t.link.ll_channel_rate.value() * t.channels;
    if (by_channels < rate || t.local <= 1) {
      rate = by_channels;
      inside = Binding::channels;
    }
  }
  if (t.local > 1 || protocol == Protocol::ll)
    bound(time, 2 * t.size / (library.tree_link_gain * rate), inside);
  const double share = network_share(library, protocol) * t.tree_share;
  if (t.nodes == 2) {
    time.network = t.size;
    bound(time, t.size / (share * t.network), Binding::network);
  } else if (t.nodes > 2) {
    time.network = 2 * t.size;
    bound(time, 2 * t.size / (share * t.network * library.tree_network_share), Binding::network);
  }
  if (protocol == Protocol::simple) time.transfer += fill(t, library, 2 * t.size);
  return time;
}

// Reduction and multicast inside the NVSwitch: the algorithm's bandwidth hardly depends on the number of
// devices. Smaller messages are cut into smaller chunks.
LawTime nvls(bool across, const GroupTerms& t, const CollectiveConstants& library) {
  const double rate = t.link.nvls_efficiency * t.raw;
  const double heads = std::min(t.local, 8.0), reach = (heads - 1) / heads;
  const double small = t.link.nvls_small * std::min(t.size, library.nvls_full_chunks.value()) / rate;
  LawTime time;
  time.volume = is_all_reduce(t) ? t.size : t.volume;
  time.latency = t.link.base.value() + t.link.nvls_base.value();
  if (t.nodes <= 1) {
    bound(time, time.volume / (is_all_reduce(t) ? rate * reach : rate), Binding::link);
    time.transfer += small * std::max(1.0, t.local / 8);
    return time;
  }
  // Trees between the nodes, or the network's own switches, which take every part once.
  time.latency += 2 * (across ? 1 : t.depth) * t.fabric.simple_step.value();
  bound(time, time.volume / (library.nvls_tree_link_share * rate * reach), Binding::link);
  const bool once = across || t.nodes == 2;
  time.network = once ? t.size : 2 * t.size;
  const double share = once ? 1 : library.nvls_tree_network_share;
  bound(time, time.network / (share * t.tree_share * t.network), Binding::network);
  time.transfer += t.fabric.fill * std::min(2 * t.size, library.fill_limit.value()) / t.network +
                   small * std::max(0.0, t.local / 8 - 1);
  return time;
}

// Reduction in the network's switches: a node sends S once and receives the sum once. Inside the node a
// reduce-scatter before and an all-gather after (direct), or a chain to the node's port (chain).
LawTime collnet(bool direct, const GroupTerms& t, const CollectiveConstants& library) {
  LawTime time;
  const double inside = 2 * (t.local - 1) / t.local * t.size;
  time.volume = is_all_reduce(t) ? inside : t.volume;
  time.network = is_all_reduce(t) ? t.size : t.size / t.nodes;
  const double hops = direct ? std::min(1.0, t.local - 1) : t.local - 1;
  time.latency = t.link.base.value() + t.link.simple_base.value() + 2 * hops * t.link.simple_step.value() +
                 2 * t.fabric.simple_step.value();
  if (t.local > 1) bound(time, (direct ? time.volume : 2 * t.size) / t.rate, Binding::link);
  const double received = is_all_reduce(t) ? t.size : (t.nodes - 1) / t.nodes * t.size;
  bound(time, std::max(time.network, received) / (t.tree_share * t.network), Binding::network);
  time.transfer += fill(t, library, 2 * t.size);
  return time;
}

// Parallel aggregated trees: a logarithm of steps, the ring's bytes.
LawTime pat(const GroupTerms& t, const CollectiveConstants& library) {
  LawTime time;
  time.volume = t.volume;
  time.network = crossing(t);
  time.latency =
      start(t, library, Protocol::simple) + std::ceil(std::log2(t.n)) * t.fabric.simple_step.value();
  bound(time, t.volume / (t.ring_share * t.network), Binding::network);
  time.transfer += fill(t, library, t.volume);
  return time;
}

// Send and receive calls: of an all-to-all to every other rank at once, or of one pair.
LawTime point_to_point(const GroupTerms& t, const CollectiveConstants& library) {
  LawTime time;
  const bool pair = t.kind == CollectiveKind::send_receive;
  const double part = pair ? t.size : t.size / t.n;
  const double sent = pair ? t.size : t.size * (t.n - 1) / t.n;
  const double remote = t.nodes <= 1 ? 0 : pair ? t.size : t.size * (t.n - t.local) / t.n;
  const double node_sends = pair ? remote : remote * t.local;
  // A pair has the NICs beside its devices.
  const double network = pair ? std::max(t.nic, t.network / t.local) : t.peer_share * t.network;
  time.volume = sent;
  time.network = node_sends;
  time.latency = t.link.base.value() + t.link.ll_step.value();
  if (t.nodes > 1) time.latency += t.fabric.ll_step.value();
  if (part <= library.point_to_point_ll.value()) {
    bound(time, sent / (t.link.ll_channel_rate.value() * t.channels), Binding::channels);
    if (sent > remote) bound(time, (sent - remote) / (library.ll_link_share * t.peer_rate), Binding::link);
    if (t.nodes > 1) bound(time, node_sends / (library.ll_network_share * network), Binding::network);
    return time;
  }
  time.latency += t.link.peer_base.value() + t.link.simple_step.value();
  const double local = sent - remote;
  if (local > 0) {
    const double own_copy = pair ? 1 : 1 + t.link.peer_copy / (t.n - 1);
    bound(time, local / t.peer_rate * own_copy, Binding::link);
  }
  if (node_sends > 0)
    bound(time, node_sends / (library.all_to_all_network_share * network), Binding::network);
  const double rate = remote < sent ? t.peer_rate : network;
  time.transfer += t.link.fill * std::min(sent, library.fill_limit.value()) / rate;
  return time;
}

}  // namespace

std::string_view to_string(Binding binding) {
  constexpr std::array<std::string_view, 5> names{"latency", "link", "channels", "network", "host"};
  return names[static_cast<std::size_t>(binding)];
}

double ring_steps(CollectiveKind kind, double ranks) {
  return kind == CollectiveKind::all_reduce ? 2 * (ranks - 1) : ranks - 1;
}

double ring_volume(CollectiveKind kind, double ranks, double size) {
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::send_receive:
      return size;
    default:
      return ring_steps(kind, ranks) / ranks * size;
  }
}

std::optional<LawTime> law(Algorithm algorithm, Protocol protocol, const GroupTerms& terms,
                           const CollectiveConstants& library) {
  if (protocol == Protocol::ll128 && (!terms.link.ll128_step || terms.host_staged)) return std::nullopt;
  const bool peers = terms.kind == CollectiveKind::all_to_all || terms.kind == CollectiveKind::send_receive;
  if (peers != (algorithm == Algorithm::point_to_point)) return std::nullopt;
  switch (algorithm) {
    case Algorithm::ring:
      return ring(protocol, terms, library);
    case Algorithm::tree:
      if (!is_all_reduce(terms)) return std::nullopt;
      return tree(protocol, terms, library);
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      if (!(terms.link.nvls_efficiency > 0) || terms.local < 2) return std::nullopt;
      if (algorithm == Algorithm::nvls_tree && terms.nodes <= 1) return std::nullopt;
      return nvls(algorithm == Algorithm::nvls, terms, library);
    case Algorithm::collnet_direct:
    case Algorithm::collnet_chain:
      if (terms.nodes <= 1) return std::nullopt;
      return collnet(algorithm == Algorithm::collnet_direct, terms, library);
    case Algorithm::pat:
      if (terms.nodes <= 1 || terms.local > 1) return std::nullopt;
      return pat(terms, library);
    case Algorithm::point_to_point:
      return point_to_point(terms, library);
    case Algorithm::halving_doubling:
      break;
  }
  return std::nullopt;
}

double least_time(Algorithm algorithm, const GroupTerms& t) {
  const bool in_switch = algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree;
  const bool in_network = algorithm == Algorithm::collnet_direct || algorithm == Algorithm::collnet_chain;
  double inside = t.volume;
  if (is_all_reduce(t) && in_switch) inside = t.size;
  if (algorithm == Algorithm::point_to_point)
    inside = t.kind == CollectiveKind::all_to_all ? t.size * (t.local - 1) / t.n : t.size;
  double least = t.local > 1 && t.raw > 0 && t.nodes <= 1 ? inside / t.raw : 0;
  if (t.nodes <= 1 || !(t.wire > 0)) return least;
  double leaves = 0;
  switch (t.kind) {
    case CollectiveKind::all_reduce:
      leaves = in_network ? t.size : 2 * (t.nodes - 1) / t.nodes * t.size;
      break;
    case CollectiveKind::all_to_all:
      leaves = t.size * (t.n - t.local) / t.n * t.local;
      break;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      leaves = (t.nodes - 1) / t.nodes * t.size;
      break;
    default:
      leaves = t.size;
  }
  return std::max(least, leaves / t.wire);
}

}  // namespace paceline
