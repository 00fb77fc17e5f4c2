#include "tests/sim/cost/transformer/expert_setting.h"

#include <algorithm>

#include "tests/sim/support/step.h"

namespace paceline::test {
namespace {

// Ranks of a group that stand together, when all ranks of a domain do.
MeshGroup expert_group(const ExpertCase& what) {
  const int ranks = what.parallel.degrees.expert;
  return {ranks, 1, std::min(ranks, what.domain)};
}

}  // namespace

ExpertCase eight_ranks() {
  ExpertCase what;
  what.parallel.degrees.expert = 8;
  what.parallel.dispatcher = Dispatcher::hybrid_ep;
  return what;
}

Seconds time_of(const Pass& pass, const std::string& start) {
  Seconds sum;
  for (const PassStep& step : pass.steps) {
    const auto* kernel = std::get_if<Kernel>(&step);
    if (kernel && kernel->name.starts_with(start)) sum += kernel->time;
    const auto* exchange = std::get_if<Exchange>(&step);
    if (exchange && exchange->name.starts_with(start)) sum += *exchange->time;
  }
  return sum;
}

ExpertSetting::ExpertSetting(const ExpertCase& configuration)
    : what(configuration),
      model(source_catalog().models.build(configuration.model)),
      rules(*source_catalog().frameworks.framework(configuration.framework).transformer) {}

const Block& ExpertSetting::block() const {
  return *std::find_if(model.blocks.begin(), model.blocks.end(),
                       [](const Block& block) { return block.experts.has_value(); });
}

LayerContext ExpertSetting::context() const {
  const Catalog& catalog = source_catalog();
  const Cluster& cluster = catalog.hardware.cluster(what.cluster);
  const Device& device = catalog.hardware.device(cluster.device);
  const KernelRates& rates = *catalog.kernel_rates.measured(what.rates);
  LayerContext context{rules, what.parallel};
  context.samples = what.samples;
  context.tokens = what.samples * static_cast<double>(model.sequence);
  context.multiprocessors = rates.multiprocessors;
  context.products = *rates.gemm[static_cast<std::size_t>(NumberFormat::bf16)];
  if (what.parallel.fp8 != Fp8Recipe::none) {
    context.products_in_8_bit = rates.gemm[static_cast<std::size_t>(NumberFormat::fp8)];
    context.products_in_8_bit->rate *= rules.fp8.rate;
  }
  context.conditions.clock = what.clock;
  context.attention = rates.training_attention.at("cudnn");
  context.attention_conditions.clock = what.clock / context.attention.clock;
  context.experts = expert_group(what);
  const double nics = static_cast<double>(cluster.network->nics) / cluster.devices_per_node;
  context.dispatch = {&catalog.hardware.dispatch(), catalog.hardware.architecture(device.architecture).nvlink,
                      what.domain, cluster.interconnect.rate, cluster.network->rate * nics};
  context.arm_host = cluster.host.arm;
  return context;
}

}  // namespace paceline::test
