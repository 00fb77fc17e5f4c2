// Layers with experts, column by column, against an independent prediction by the same mechanisms of
// published configurations (Megatron Bridge, Megatron-Core's Model Zoo, eight B200), which was judged by
// their steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "sim/cost/transformer/expert_host.h"
#include "sim/cost/transformer/expert_layer.h"
#include "sim/cost/transformer/latent_attention.h"
#include "tests/sim/cost/transformer/expert_setting.h"

namespace paceline {
namespace {

// ms, forward and backward.
struct Both {
  double forward = 0, backward = 0;
};

// ms of the products of all experts; of router, activation, casts and permutation; of exchanges that stay
// exposed; of the host.
struct Row {
  const char* name;
  const char* model;
  const char* cluster;
  const char* rates;
  const char* framework;
  double clock;
  double samples;
  int tensor, expert;
  Fp8Recipe fp8;
  Dispatcher dispatcher;
  GraphScope graphs;
  bool overlap;
  Both products, around, exposed, host;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr auto bf16 = Fp8Recipe::none, fp8 = Fp8Recipe::tensor, mxfp8 = Fp8Recipe::block;
constexpr auto plain = Dispatcher::all_to_all, deep = Dispatcher::deep_ep, hybrid = Dispatcher::hybrid_ep;
constexpr auto none = GraphScope::none, router = GraphScope::router, attention = GraphScope::attention,
               full = GraphScope::full;
constexpr const char *b25 = "megatron-bridge-25.11", *b02 = "megatron-bridge-26.02",
                     *b04 = "megatron-bridge-26.04", *b06 = "megatron-bridge-26.06", *core = "megatron-core";
constexpr const char *h100 = "h100-sxm5-80gb", *nvl200 = "gb200-nvl72", *nvl300 = "gb300-nvl72";
constexpr const char *v3 = "deepseek-v3", *q235 = "qwen3-235b-a22b", *q30 = "qwen3-30b-a3b",
                     *oss = "gpt-oss-120b";

// clang-format off
const std::vector<Row> rows{
  {"DeepSeek-V3, B300", v3, "dgx-b300", "b200", b02, 0.75, 1, 1, 8, mxfp8, hybrid, none, false,
   {1.48, 4.26}, {1.10, 1.44}, {1.51, 1.51}, {4.81, 6.30}},
  {"DeepSeek-V3, GB200, bf16", v3, nvl200, "gb200", b25, 0.78, 1, 1, 64, bf16, hybrid, router, false,
   {2.31, 4.61}, {0.79, 0.91}, {1.65, 1.65}, {2.90, 3.43}},
  {"DeepSeek-V3, GB200, grouped", v3, nvl200, "gb200", b06, 0.78, 1, 1, 64, mxfp8, hybrid, full, true,
   {1.17, 2.37}, {0.48, 0.68}, {0.70, 0.70}, {0, 0}},
  {"DeepSeek-V3, GB300", v3, nvl300, "gb200", b02, 0.95, 2, 1, 32, mxfp8, hybrid, none, false,
   {1.97, 4.10}, {2.12, 2.80}, {3.01, 3.01}, {4.84, 5.70}},
  {"Kimi-K2, GB300", "kimi-k2", nvl300, "gb200", b04, 0.95, 2, 1, 64, mxfp8, hybrid, attention, false,
   {1.99, 4.04}, {2.16, 2.84}, {3.22, 3.22}, {2.16, 2.60}},
  {"Qwen3-235B, GB200", q235, nvl200, "gb200", b04, 0.78, 1, 1, 32, mxfp8, hybrid, attention, false,
   {0.54, 1.09}, {0.75, 0.99}, {0.92, 0.92}, {2.08, 2.44}},
  {"Qwen3-235B, GB200, grouped", q235, nvl200, "gb200", b06, 0.78, 1, 1, 32, mxfp8, hybrid, full, true,
   {0.52, 1.04}, {0.32, 0.46}, {0.39, 0.39}, {0, 0}},
  {"Qwen3-235B, GB300, grouped", q235, nvl300, "gb200", b06, 0.95, 2, 1, 32, mxfp8, hybrid, full, true,
   {0.84, 1.67}, {0.55, 0.82}, {0.74, 0.74}, {0, 0}},
  {"Qwen3-235B, B200", q235, "dgx-b200", "b200", b02, 0.74, 1, 1, 8, mxfp8, plain, none, false,
   {0.66, 1.49}, {1.21, 1.45}, {0.83, 0.83}, {4.30, 5.27}},
  {"Qwen3-30B, GB300", q30, nvl300, "gb200", b04, 0.95, 8, 1, 8, mxfp8, hybrid, router, false,
   {1.03, 2.11}, {2.46, 3.41}, {2.29, 2.29}, {3.36, 4.35}},
  {"Qwen3-30B, GB300, grouped", q30, nvl300, "gb200", b06, 0.95, 8, 1, 8, mxfp8, hybrid, full, true,
   {0.93, 1.76}, {0.97, 1.50}, {0.97, 0.97}, {0, 0}},
  {"Qwen3-30B, H100 over two nodes", q30, "dgx-h100", h100, b04, 0.80, 1, 1, 16, fp8, hybrid, none, false,
   {0.33, 0.68}, {0.87, 1.14}, {0.83, 0.83}, {4.04, 4.76}},
  {"GPT-OSS, H100", oss, "dgx-h100", h100, b02, 0.80, 1, 1, 8, bf16, plain, none, false,
   {1.48, 3.54}, {1.94, 2.51}, {0.61, 0.61}, {4.30, 5.27}},
  {"GPT-OSS, GB300", oss, nvl300, "gb200", b02, 0.95, 4, 1, 64, bf16, plain, attention, false,
   {2.14, 4.34}, {3.44, 4.49}, {1.27, 1.27}, {2.01, 2.29}},
  {"GPT-OSS, GB300, grouped", oss, nvl300, "gb200", b06, 0.95, 4, 1, 16, mxfp8, hybrid, full, false,
   {1.11, 2.28}, {0.91, 2.02}, {1.24, 1.24}, {0, 0}},
  {"Qwen3-235B, H100 over four nodes", q235, "dgx-h100", h100, core, 0.80, 1, 2, 32, bf16, deep, none, false,
   {1.05, 2.11}, {0.75, 0.84}, {2.09, 2.09}, {3.91, 4.50}},
  {"Qwen3-235B, H100, overlapped", q235, "dgx-h100", h100, core, 0.80, 1, 2, 32, bf16, deep, none, true,
   {1.05, 2.11}, {0.75, 0.84}, {0.89, 0.89}, {3.91, 4.50}},
  {"Qwen3-235B, H100, TP 4", q235, "dgx-h100", h100, core, 0.80, 1, 4, 8, bf16, deep, none, false,
   {0.66, 1.93}, {0.41, 0.46}, {0.35, 0.35}, {4.30, 5.27}},
  {"DeepSeek-V2, eight B200", "deepseek-v2", "dgx-b200", "b200", core, 0.645, 1, 1, 4, bf16, plain, none, false,
   {1.55, 3.66}, {0.92, 0.99}, {0.69, 0.69}, {5.07, 6.81}},
  {"DeepSeek-V3, eight B200", v3, "dgx-b200", "b200", core, 0.645, 1, 1, 8, bf16, plain, none, false,
   {3.16, 7.00}, {1.57, 1.70}, {1.40, 1.40}, {4.81, 6.30}}};
// clang-format on

test::ExpertCase case_of(const Row& row) {
  const bool rack = std::string(row.cluster).ends_with("nvl72");
  test::ExpertCase what{row.model,     row.cluster, row.rates,    row.clock,
                        rack ? 64 : 8, row.samples, row.framework};
  what.parallel.degrees.tensor = row.tensor;
  what.parallel.degrees.expert = row.expert;
  what.parallel.fp8 = row.fp8;
  what.parallel.dispatcher = row.dispatcher;
  what.parallel.graph_scope = row.graphs;
  what.parallel.expert_overlap = row.overlap;
  return what;
}

double kernels(const Pass& pass, const std::vector<const char*>& starts) {
  double sum = 0;
  for (const PassStep& step : pass.steps)
    if (const auto* kernel = std::get_if<Kernel>(&step))
      if (std::any_of(starts.begin(), starts.end(),
                      [&](const char* start) { return kernel->name.starts_with(start); }))
        sum += kernel->time.value() * 1e3;
  return sum;
}

double exposed(const Pass& pass) {
  const double compute = kernels(pass, {""});
  double sum = 0;
  for (const PassStep& step : pass.steps)
    if (const auto* exchange = std::get_if<Exchange>(&step)) {
      const Cover& cover = exchange->cover;
      const double x = exchange->time->value() * 1e3, y = (1 - cover.blocking) * x,
                   w = cover.covered * compute;
      sum += cover.blocking * x + std::max(0.0, y - w) + cover.slowdown * std::min(y, w);
    }
  return sum;
}

// Within 5 % of the column, whose last digit is rounded.
void expect_near(double time, double column, const char* what) {
  EXPECT_NEAR(time, column, 0.05 * column + 0.005) << what;
}
void expect_near(const Both& times, const Both& columns, const char* what) {
  expect_near(times.forward, columns.forward, what);
  expect_near(times.backward, columns.backward, what);
}

class ExpertColumns : public testing::TestWithParam<Row> {};

TEST_P(ExpertColumns, AreThoseOfThePrediction) {
  const Row& row = GetParam();
  const test::ExpertSetting setting(case_of(row));
  const LayerPart part = expert_part(setting.context(), setting.block());
  const std::vector<const char*> products{"experts up", "experts down"};
  const std::vector<const char*> around{"router", "experts activation", "experts casts",
                                        "experts gradient casts", "permutation"};
  expect_near({kernels(part.forward, products), kernels(part.backward, products)}, row.products, "products");
  expect_near({kernels(part.forward, around), kernels(part.backward, around)}, row.around, "around");
  expect_near({exposed(part.forward), exposed(part.backward)}, row.exposed, "exchanges");
  const ExpertHost host = expert_host(setting.context(), setting.block());
  expect_near({host.forward.value() * 1e3, host.backward.value() * 1e3}, row.host, "host");
}

INSTANTIATE_TEST_SUITE_P(Published, ExpertColumns, testing::ValuesIn(rows),
                         [](const auto& row) { return std::to_string(row.index); });

// Products of attention and shared expert with their casts and the shared activation; the core; what
// parallel.recompute_modules "mla_up_proj" adds to backward.
struct LatentRow {
  std::size_t row;
  Both products, core;
  double recompute;
};

TEST(LatentColumns, AreThoseOfThePrediction) {
  const std::vector<LatentRow> latent{
      {0, {0.98, 2.00}, {0.62, 2.07}, 0.39}, {1, {1.52, 3.02}, {0.59, 1.99}, 0.55},
      {2, {0.95, 1.93}, {0.59, 1.99}, 0.37}, {3, {1.55, 3.11}, {0.97, 3.27}, 0.67},
      {4, {1.03, 2.01}, {0.49, 1.64}, 0.35}, {18, {1.67, 3.31}, {0.83, 2.80}, 0},
      {19, {1.95, 3.87}, {0.83, 2.80}, 0}};
  for (const LatentRow& expected : latent) {
    SCOPED_TRACE(rows[expected.row].name);
    test::ExpertCase what = case_of(rows[expected.row]);
    if (expected.recompute > 0) what.parallel.recompute_modules = {"mla_up_proj"};
    const test::ExpertSetting setting(what);
    const Block& block = setting.block();
    LayerPart part = latent_attention_part(setting.context(), block.hidden, block.attention.front());
    part.append(expert_part(setting.context(), block));
    const std::vector<const char*> products{"latent query", "latent key-value", "latent output",
                                            "shared expert"};
    expect_near({kernels(part.forward, products), kernels(part.backward, products)}, expected.products,
                "products");
    expect_near({kernels(part.forward, {"attention core"}), kernels(part.backward, {"attention core"})},
                expected.core, "core");
    expect_near(kernels(part.recompute, {""}), expected.recompute, "recompute");
  }
}

}  // namespace
}  // namespace paceline
