#include "sim/collective/nccl_graph.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace paceline {
namespace {

// Bandwidth classes that the search tries, high to low, GB/s a channel: src/graph/search.cc of NCCL 2.18 to
// 2.30.
std::vector<double> classes(int capability, bool several_nodes, int version) {
  if (capability < 90) {
    if (several_nodes) return {48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, 0.24, 0.12};
    return {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  }
  const bool old = version < 21900;
  if (capability < 100) {
    if (!several_nodes) {
      if (old) return {60, 40, 30, 24, 20, 15, 12, 6, 3};
      return {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
    }
    if (old) return {48, 45, 42, 40, 30, 24, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12};
    return {48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12};
  }
  if (!several_nodes) {
    if (version >= 23000) return {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
    return {90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18};
  }
  std::vector<double> list{96, 48, 45.1, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12};
  if (version >= 23000) list.insert(list.begin() + 1, {86, 80});
  return list;
}

// How many channels of a class the links carry: each subtracts its class from every link that it crosses.
int fitting(const NcclMachine& machine, double rate) {
  constexpr int most = 32;  // half of MAXCHANNELS
  const auto in = [rate](double total) { return static_cast<int>(std::floor(total / rate + 1e-9)); };
  int count = most;
  if (machine.per_node() > 1) {
    const int inside = machine.rings > 0 ? machine.rings * in(machine.path) : in(machine.device);
    count = std::min(count, inside);
  }
  if (machine.nodes > 1) count = std::min(count, machine.nics * in(machine.nic));
  return count;
}

}  // namespace

double nccl_nvlink_rate(int capability) {
  if (capability >= 100) return 40.1;
  if (capability >= 90) return 20.6;
  if (capability == 86) return 12;
  if (capability >= 70) return 20;
  return capability >= 60 ? 18 : 0;
}

// src/graph/topo.h: 16 for AMD; 10 for Skylake and 22 for Sapphire Rapids, which came with generation 5.
double nccl_processor_rate(bool amd, int pcie_generation) {
  return amd ? 16 : pcie_generation >= 5 ? 22 : 10;
}

double nccl_pcie_rate(int generation, int lanes) {
  return 3.0 * std::exp2(std::clamp(generation, 1, 6) - 1) * lanes / 16;
}

NcclGraph ring_graph(const NcclMachine& machine, int version) {
  const std::vector<double> list = classes(machine.compute_capability, machine.nodes > 1, version);
  const double single =
      std::min(machine.per_node() > 1 ? machine.path : 1e9, machine.nodes > 1 ? machine.nic : 1e9);
  NcclGraph best;
  for (const double rate : list) {
    if (rate > single + 1e-9) continue;
    if (best.intra > 0 && rate / best.intra <= 0.49) break;
    const int count = fitting(machine, rate);
    if (count > 0 && count * rate > best.channels * best.intra) best = {count, rate, rate};
  }
  if (best.intra == 0) best = {1, list.back(), list.back()};
  const bool kept = machine.compute_capability > 80 && best.intra < 50 && best.channels > 4;
  if (best.intra >= 25 && !kept) {
    best.channels *= 2;
    best.intra /= 2;
    best.inter /= 2;
  }
  return best;
}

NcclGraph tree_graph(const NcclMachine& machine, const NcclGraph& ring, int version) {
  NcclGraph tree = ring;
  if (machine.nodes != 2 || machine.per_node() < 2) return tree;
  const double room = machine.rings > 0 ? machine.path : machine.device / ring.channels;
  for (const double rate : classes(machine.compute_capability, true, version))
    if (rate <= std::min(room, 2 * ring.inter) + 1e-9) {
      tree.intra = std::max(tree.intra, rate);
      break;
    }
  return tree;
}

std::optional<NcclGraph> nvls_graph(const NcclMachine& machine, const NcclGraph& ring, int version) {
  if (!machine.nvls_hardware || !machine.nvswitch || machine.per_node() < 2) return std::nullopt;
  if (machine.nodes > 1)
    return NcclGraph{std::min(machine.per_node(), ring.channels), ring.intra, ring.inter};
  const int heads = std::min(machine.per_node(), 32);
  // A device carries a channel of its own and one of every head.
  const std::vector<double> list = classes(machine.compute_capability, false, version);
  for (const double rate : list)
    if ((heads + 1) * rate <= machine.device + 1e-9) return NcclGraph{heads, rate, list.front()};
  return NcclGraph{heads, list.back(), list.front()};
}

int execution_channels(const NcclMachine& machine, const NcclGraph& ring, int version,
                       const CollectiveSettings& settings) {
  int count = std::min(version >= 22500 ? 64 : 32, 2 * ring.channels);
  if (machine.compute_capability >= 90 && machine.nodes > 1 && ring.intra > 45 && count < 16) count *= 2;
  if (settings.max_channels) count = std::min(count, *settings.max_channels);
  if (settings.min_channels) count = std::max(count, *settings.min_channels);
  return std::max(count, 1);
}

int nvls_channels(const NcclMachine& machine, const CollectiveSettings& settings) {
  int count = machine.compute_capability < 100 ? 16 : machine.nodes > 1 ? 32 : 24;
  if (settings.max_channels) count = std::min(count, *settings.max_channels);
  return std::max(count, 1);
}

}  // namespace paceline
