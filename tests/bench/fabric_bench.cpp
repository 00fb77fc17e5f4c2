// How long the share of an oversubscribed network takes to count, by ranks in nodes of eight. `share` is the
// answer, so that a faster count of something else is noticed.
#include <benchmark/benchmark.h>

#include "sim/hardware/fabric.h"
#include "sim/hardware/ring_search.h"

namespace paceline::bench {
namespace {

void measure(benchmark::State& state, const FabricShape& shape, Traffic traffic) {
  constexpr int ranks_per_node = 8;
  Cluster cluster;
  cluster.network = Network{"infiniband", 8, gigabytes_per_second(50), shape};
  const int nodes = static_cast<int>(state.range(0)) / ranks_per_node;
  double share = 0;
  for (auto _ : state) benchmark::DoNotOptimize(share = fabric_share(cluster, nodes, traffic));
  state.counters["share"] = share;
}

void ring_leaf_spine(benchmark::State& state) { measure(state, LeafSpine{4, 8}, Traffic::ring); }
void tree_leaf_spine(benchmark::State& state) { measure(state, LeafSpine{4, 8}, Traffic::tree); }
void all_to_all_fat_tree(benchmark::State& state) {
  measure(state, FatTree{16, 8, 1, 2}, Traffic::all_to_all);
}
void all_to_all_dragonfly(benchmark::State& state) {
  measure(state, Dragonfly{64, 16, 8, 8, gigabytes_per_second(25)}, Traffic::all_to_all);
}
void cube_mesh_rings(benchmark::State& state) {
  const LinkCounts links = cube_mesh_links();
  for (auto _ : state) benchmark::DoNotOptimize(count_rings(links, static_cast<int>(state.range(0))));
}

BENCHMARK(ring_leaf_spine)->Arg(512)->Arg(16384);
BENCHMARK(tree_leaf_spine)->Arg(512)->Arg(16384);
BENCHMARK(all_to_all_fat_tree)->Arg(512)->Arg(16384);
BENCHMARK(all_to_all_dragonfly)->Arg(512)->Arg(16384);
BENCHMARK(cube_mesh_rings)->Arg(5)->Arg(8);

}  // namespace
}  // namespace paceline::bench

BENCHMARK_MAIN();
