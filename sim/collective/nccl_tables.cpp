#include "sim/collective/nccl_tables.h"

#include <algorithm>

namespace paceline::nccl {
namespace {

constexpr int v2_18 = 21800, v2_19 = 21900, v2_21 = 22100, v2_23 = 22300, v2_28 = 22800, v2_30 = 23000;

ByProtocol same(double value) { return {value, value, value}; }

}  // namespace

ByProtocol base_latency(Algorithm algorithm, int version) {
  switch (algorithm) {
    case Algorithm::tree:
      if (version < v2_18) return {4.4, 4.4, 0};
      return {6.8, 14.0, version >= v2_23 ? 8.4 : 0};
    case Algorithm::ring:
      if (version < v2_18) return {3.6, 10.0, 8.4};
      return {6.6, 14.0, 8.4};
    case Algorithm::pat:
      return same(8);
    default:
      return same(0);
  }
}

ByProtocol hop_latency(Algorithm algorithm, Hop hop, int version) {
  const bool old = version < v2_18;
  const bool long_trees = version < v2_23 && !(version >= v2_18 && version < v2_19);
  switch (algorithm) {
    case Algorithm::tree: {
      const double middle = version >= v2_23 ? 4 : 6;
      if (hop == Hop::nvlink) return {old ? 0.52 : 0.6, 1.25, long_trees ? 28 : 4.0};
      if (hop == Hop::pci) return {1.0, 1.9, long_trees ? 28 : middle};
      return {5.0, 8.5, long_trees ? 28 : 14.0};
    }
    case Algorithm::ring:
      if (hop == Hop::nvlink) return {old ? 0.47 : 0.6, 1.9, 3.4};
      if (hop == Hop::pci) return {1.0, 2.5, 5.7};
      return {2.7, 4.0, old ? 9.6 : 14.0};
    case Algorithm::collnet_direct:
      return same(hop == Hop::network ? 31 : 3.7);
    case Algorithm::collnet_chain:
      return same(hop == Hop::network ? 30 : 2.8);
    case Algorithm::nvls:
      return same(hop == Hop::network ? 18 : hop == Hop::pci ? 0 : version >= v2_21 ? 25 : 23);
    case Algorithm::nvls_tree:
      return same(hop == Hop::network ? (version >= v2_28 ? 20.9 : 14)
                  : hop == Hop::pci   ? 0
                  : version >= v2_21  ? 25
                                      : 23);
    case Algorithm::pat:
      return same(hop == Hop::network ? 14 : 4);
    default:
      return same(0);
  }
}

std::size_t generation(int capability) {
  return capability >= 100 ? 3 : capability >= 90 ? 2 : capability >= 80 ? 1 : 0;
}

ByNodes ll_limit(std::size_t generation, int version) {
  constexpr std::array<ByNodes, 4> rows{ByNodes{39, 39, 20.4}, ByNodes{87.7, 22.5, 19}, ByNodes{141, 45, 35},
                                        ByNodes{282, 90, 70}};
  if (generation == 2 && version < v2_21) return rows[1];
  return rows[generation];
}

ByNodes ring_ll128_channel(std::size_t generation, int version) {
  if (generation == 2) return version < 21700 ? ByNodes{20, 20, 20} : ByNodes{36.7, 36.7, 36.7};
  if (generation < 2) return {20, 20, 20};
  if (version >= v2_30) return {40, 40, 40};
  return version >= v2_28 ? ByNodes{73.4, 34.6, 73.4} : ByNodes{73.4, 73.4, 73.4};
}

ByNodes tree_ll128_channel(std::size_t generation, int version) {
  if (generation == 2) return version < 21700 ? ByNodes{20, 20, 20} : ByNodes{36.7, 36.7, 29};
  if (generation < 2) return {20, 20, 20};
  return version >= v2_28 ? ByNodes{55.6, 31.67, 20} : ByNodes{73.4, 73.4, 58};
}

ByNodes tree_channel(std::size_t generation, int version) {
  constexpr std::array<ByNodes, 3> rows{ByNodes{26.5, 18.5, 10}, ByNodes{24, 23.6, 17.8},
                                        ByNodes{38.7, 41.4, 36}};
  if (generation < 3) return rows[generation];
  return version >= v2_28 ? ByNodes{70, 42.8, 24} : ByNodes{77.4, 82.8, 72};
}

ByNodes nvls_tree_channel(std::size_t generation, int version) {
  constexpr double unlimited = 1e9;
  if (version < v2_28) return {unlimited, unlimited, unlimited};
  constexpr std::array<ByNodes, 3> rows{ByNodes{26.5, 18.5, 10}, ByNodes{24, 23.6, 17.8},
                                        ByNodes{0, 57.7, 45.5}};
  if (generation < 3) return rows[generation];
  return {0, 96, version >= v2_30 ? 80 : 43.8};
}

double nvls_efficiency(std::size_t generation) { return generation == 3 ? 0.74 : generation == 2 ? 0.85 : 0; }

double tree_correction(Protocol protocol, int step) {
  constexpr std::array<std::array<double, 23>, 3> table{
      {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
       {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
       {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};
  if (step < 0 || step >= 23) return 1;
  return table[static_cast<std::size_t>(protocol)][static_cast<std::size_t>(step)];
}

}  // namespace paceline::nccl
