// How fast the engine is. `step_ms` is the predicted time of the work, so that a faster engine that predicts
// something else is noticed.
#include <benchmark/benchmark.h>

#include "sim/engine/engine.h"
#include "tests/bench/works.h"

namespace paceline::bench {
namespace {

void measure(benchmark::State& state, const Program& program) {
  double events = 0;
  double finish = 0;
  for (auto _ : state) {
    const Schedule schedule = run(program);
    events += static_cast<double>(schedule.events);
    finish = schedule.finish;
  }
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.counters["operations"] = static_cast<double>(program.operations.size());
  state.counters["step_ms"] = finish * 1e3;
}

std::uint32_t ranks(const benchmark::State& state) { return static_cast<std::uint32_t>(state.range(0)); }

void one_all_reduce_folded(benchmark::State& state) { measure(state, one_all_reduce(ranks(state))); }
void one_all_reduce_unfolded(benchmark::State& state) {
  measure(state, unfold(one_all_reduce(ranks(state))));
}
void data_parallel_folded(benchmark::State& state) { measure(state, data_parallel_step(ranks(state))); }
void data_parallel_unfolded(benchmark::State& state) {
  measure(state, unfold(data_parallel_step(ranks(state))));
}

constexpr std::uint32_t kernels_per_rank = 1024;
void many_kernels_unfolded(benchmark::State& state) {
  measure(state, unfold(many_kernels(ranks(state), kernels_per_rank, 0)));
}
void many_slowed_kernels_unfolded(benchmark::State& state) {
  measure(state, unfold(many_kernels(ranks(state), kernels_per_rank, 0.1)));
}

void shared_copies_unfolded(benchmark::State& state) { measure(state, shared_copies(ranks(state), 256)); }

BENCHMARK(one_all_reduce_folded)->Arg(8)->Arg(64)->Arg(512)->Arg(4096)->Arg(16384);
BENCHMARK(one_all_reduce_unfolded)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(data_parallel_folded)->Arg(8)->Arg(64)->Arg(512)->Arg(4096)->Arg(16384);
BENCHMARK(data_parallel_unfolded)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(many_kernels_unfolded)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(many_slowed_kernels_unfolded)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(shared_copies_unfolded)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paceline::bench

BENCHMARK_MAIN();
