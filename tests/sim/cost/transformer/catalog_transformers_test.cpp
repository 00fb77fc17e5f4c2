// Every transformer of the catalog in every framework that knows them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/sim/cost/transformer/layer_cases.h"
#include "tests/sim/support/step.h"

namespace paceline {
namespace {

using test::LayerBench;
using test::LayerCase;

double seconds(const Pass& pass) {
  double sum = 0;
  for (const PassStep& step : pass.steps)
    if (const auto* kernel = std::get_if<Kernel>(&step)) sum += kernel->time.value();
  return sum;
}

// No less than its arithmetic takes at the peak; parameters add up to the model's; backward costs more than
// forward. Models whose layers attend to another sequence are refused.
void expect_bounds(const LayerBench& bench, const std::string& where) {
  const TransformerWork work = bench.work();
  double parameters = 0, time = 0;
  for (const Unit& unit : work.units) {
    EXPECT_GE(seconds(unit.backward), seconds(unit.forward) * 0.99) << where << ": " << unit.name;
    EXPECT_GT(unit.kept, Bytes(0)) << where << ": " << unit.name;
    parameters += (unit.dense_parameters + unit.expert_parameters) * unit.alike;
    time += (seconds(unit.forward) + seconds(unit.backward)) * unit.alike;
  }
  const auto whole = static_cast<double>(bench.model.parameter_count());
  EXPECT_NEAR(parameters, whole, 1e-3 * whole) << where;
  const double peak = bench.device.peak[static_cast<std::size_t>(Precision::bf16)]->value();
  EXPECT_GT(time, work.model_flops.value() * 3 * bench.micro_batch / peak) << where;
}

TEST(CatalogTransformers, KeepTheirBoundsInEveryFramework) {
  const Catalog& catalog = test::source_catalog();
  LayerCase which = test::llama_case();
  which.device = "h100-sxm5-80gb";
  int answered = 0;
  for (const char* name : {"gpt2-medium", "bert-large", "mpt-7b", "llama3-8b", "gemma2-2b", "falcon-7b",
                           "gpt-j-6b", "gpt-neox-20b", "opt-1.3b", "qwen3-8b", "mistral-7b", "phi3-mini"})
    for (const std::string& framework : catalog.frameworks.names()) {
      if (!catalog.frameworks.framework(framework).transformer) continue;
      which.framework = framework;
      LayerBench bench(which);
      bench.model = catalog.models.build(name, {});
      expect_bounds(bench, fmt::format("{} in {}", name, framework));
      ++answered;
    }
  EXPECT_GE(answered, 12 * 13);
}

}  // namespace
}  // namespace paceline
