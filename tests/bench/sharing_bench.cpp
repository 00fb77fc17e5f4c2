// How the cost of sharing links grows with the number of flows. At the end of each series Google Benchmark
// prints the complexity that fits the times best.
#include <benchmark/benchmark.h>

#include <limits>
#include <random>

#include "sim/engine/fair_sharing.h"

namespace paceline::bench {
namespace {

using FlowId = FairSharing::FlowId;
constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr double capacity = 1e11;

// Flows of 2 to 4 resources each, drawn from a quarter as many as there are flows.
FairSharing spread_flows(std::size_t count, bool limited) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> rate(0.1 * capacity, capacity);
  std::vector<double> capacities(count / 4);
  for (double& each : capacities) each = rate(random);
  std::uniform_int_distribution<std::uint32_t> any(0, static_cast<std::uint32_t>(capacities.size()) - 1);
  std::uniform_int_distribution<std::size_t> use_count(2, 4);
  FairSharing sharing(capacities);
  sharing.reserve(count, 4 * count);
  std::vector<FairSharing::Use> uses;
  for (std::size_t flow = 0; flow < count; ++flow) {
    uses.resize(use_count(random));
    for (FairSharing::Use& use : uses) use.resource = any(random);
    sharing.add_flow(limited ? rate(random) / 4 : no_limit, uses);
  }
  sharing.seal();
  return sharing;
}

// All on one resource; each but the fastest is held by a limit that no other flow has.
FairSharing flows_with_limits(std::size_t count, bool weighted) {
  FairSharing sharing({capacity});
  sharing.reserve(count, count);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0.5, 1);
  for (std::size_t flow = 0; flow < count; ++flow) {
    const FairSharing::Use use{.weight = weighted ? share(random) : 1};
    sharing.add_flow(share(random) * capacity / static_cast<double>(count), std::span(&use, 1));
  }
  sharing.seal();
  return sharing;
}

void start_all(FairSharing& sharing, std::size_t count) {
  for (FlowId flow = 0; flow < count; ++flow) sharing.start(flow);
}
void end_all(FairSharing& sharing, std::size_t count) {
  for (FlowId flow = 0; flow < count; ++flow) sharing.end(flow);
  sharing.settle();
}

// All start at one moment.
void settle_all(benchmark::State& state, FairSharing sharing) {
  const auto count = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    start_all(sharing, count);
    benchmark::DoNotOptimize(sharing.settle().size());
    state.PauseTiming();
    end_all(sharing, count);
    state.ResumeTiming();
  }
  state.SetComplexityN(state.range(0));
}

// One of them ends and starts again while all the others go on.
void settle_one(benchmark::State& state, FairSharing sharing) {
  const auto count = static_cast<std::size_t>(state.range(0));
  start_all(sharing, count);
  sharing.settle();
  FlowId flow = 0;
  for (auto _ : state) {
    sharing.end(flow);
    benchmark::DoNotOptimize(sharing.settle().size());
    sharing.start(flow);
    benchmark::DoNotOptimize(sharing.settle().size());
    flow = static_cast<FlowId>((flow + count / 3 + 1) % count);
  }
  state.SetComplexityN(state.range(0));
}

std::size_t flows(const benchmark::State& state) { return static_cast<std::size_t>(state.range(0)); }

void all_over_many_links(benchmark::State& state) { settle_all(state, spread_flows(flows(state), false)); }
void all_over_many_links_limited(benchmark::State& state) {
  settle_all(state, spread_flows(flows(state), true));
}
void all_on_one_link(benchmark::State& state) { settle_all(state, flows_with_limits(flows(state), false)); }
void all_on_one_link_weighted(benchmark::State& state) {
  settle_all(state, flows_with_limits(flows(state), true));
}
void one_of_many_links(benchmark::State& state) { settle_one(state, spread_flows(flows(state), false)); }
void one_of_one_link(benchmark::State& state) { settle_one(state, flows_with_limits(flows(state), false)); }

void sizes(benchmark::internal::Benchmark* series) {
  series->Unit(benchmark::kMillisecond)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Complexity(benchmark::oNLogN);
}
BENCHMARK(all_over_many_links)->Apply(sizes);
BENCHMARK(all_over_many_links_limited)->Apply(sizes);
BENCHMARK(all_on_one_link)->Apply(sizes);
BENCHMARK(all_on_one_link_weighted)->Apply(sizes);
BENCHMARK(one_of_many_links)->Apply(sizes);
BENCHMARK(one_of_one_link)->Apply(sizes);

}  // namespace
}  // namespace paceline::bench

BENCHMARK_MAIN();
