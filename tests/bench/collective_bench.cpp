// How many predictions of collectives a second: what a diagnosis, a slider and a search of layouts wait for.
#include <benchmark/benchmark.h>

#include "sim/study/collective_sweep.h"
#include "sim/study/validate_collectives.h"

namespace paceline::bench {
namespace {

const Catalog& catalog() {
  static const Catalog loaded = Catalog::load(find_data_folder(""));
  return loaded;
}

// -b 8 -e 8G -f 2: 31 sizes.
CollectiveSweep sweep(CollectiveKind kind, int nodes) {
  CollectiveSweep request;
  request.cluster = "8x-h100-roce-8x400";
  request.kind = kind;
  request.nodes = nodes;
  request.sizes = {Bytes(8), gibibytes(8), Bytes(0), 2.0};
  return request;
}

void full_sweep(benchmark::State& state) {
  const CollectiveSweep request = sweep(CollectiveKind::all_reduce, static_cast<int>(state.range(0)));
  double last = 0;
  for (auto _ : state) last = sweep_collective(catalog(), request, nullptr).rows.back().busbw;
  state.counters["sweeps/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["busbw_GBps"] = last;
}

void one_prediction(benchmark::State& state) {
  const Cluster& cluster = catalog().hardware.cluster("8x-h100-roce-8x400");
  const CollectiveCost cost(catalog().hardware, cluster, nullptr);
  for (auto _ : state)
    benchmark::DoNotOptimize(cost.collective(CollectiveKind::all_reduce, mebibytes(25), {64, 8}));
}

void all_published_tables(benchmark::State& state) {
  const std::string folder = find_data_folder("");
  std::size_t points = 0;
  for (auto _ : state) {
    points = 0;
    for (const auto& judged :
         validate_collectives(catalog(), folder, {}, CollectiveKnowledge::catalog).tables)
      points += judged.points.size();
  }
  state.counters["points"] = static_cast<double>(points);
}

BENCHMARK(full_sweep)->Arg(1)->Arg(2)->Arg(2048)->Unit(benchmark::kMicrosecond);
BENCHMARK(one_prediction)->Unit(benchmark::kMicrosecond);
BENCHMARK(all_published_tables)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace paceline::bench

BENCHMARK_MAIN();
