// Kernel times a second: what a search over shapes or a large model pays.
#include <benchmark/benchmark.h>

#include "sim/study/kernel_table.h"

namespace paceline {
namespace {

const KernelRates& rates() {
  static const KernelRates h100 =
      read_kernel_rates(std::string(PACELINE_SOURCE_DIR) + "/scenarios/kernels/h100-sxm5-80gb.json");
  return h100;
}

const GemmRates& gemm() { return *rates().gemm[static_cast<std::size_t>(NumberFormat::bf16)]; }

void a_product(benchmark::State& state) {
  GemmShape shape{static_cast<double>(state.range(0)), 4096, 4096};
  for (auto _ : state) {
    benchmark::DoNotOptimize(shape.m);
    benchmark::DoNotOptimize(gemm_time(gemm(), 132, shape).time);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(a_product)->Arg(1)->Arg(128)->Arg(8192);

void a_corrected_product(benchmark::State& state) {
  GemmShape shape{1024, 4096, 4096};
  for (auto _ : state) {
    benchmark::DoNotOptimize(shape.m);
    benchmark::DoNotOptimize(corrected_gemm_time(gemm(), 132, shape));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(a_corrected_product);

void attention(benchmark::State& state) {
  AttentionCall shape;
  shape.queries = shape.keys = 4096;
  shape.heads = shape.key_heads = 32;
  for (auto _ : state) {
    benchmark::DoNotOptimize(shape.batch);
    benchmark::DoNotOptimize(fused_attention_time(*rates().attention, 132, shape));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(attention);

void experts(benchmark::State& state) {
  ExpertCall shape;
  shape.tokens = 4096;
  shape.hidden = 4096;
  shape.ffn = 1536;
  shape.top_k = 8;
  shape.experts = 128;
  for (auto _ : state) {
    benchmark::DoNotOptimize(shape.tokens);
    benchmark::DoNotOptimize(expert_time(*rates().experts, 132, shape));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(experts);

}  // namespace
}  // namespace paceline

BENCHMARK_MAIN();
